"""What the user decides: options, job file, roles of columns, requirements, de-identification."""
