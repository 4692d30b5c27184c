"""The decisions of the user: options, job file, column roles, privacy requirements, de-identification."""
