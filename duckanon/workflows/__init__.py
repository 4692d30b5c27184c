"""The commands, one module each: from the job to the result."""
