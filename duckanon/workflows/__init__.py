"""The commands, a module each: what they do, from the job to the result."""
