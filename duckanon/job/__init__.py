"""What the user decides: options, the job file, roles of columns, requirements, de-identification."""
