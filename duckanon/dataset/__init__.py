"""Input files: location, dialect, columns, missing values, population."""
