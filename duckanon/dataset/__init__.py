"""Input files: where they lie, how they are read, their columns, missing values, and the population that they come from."""
