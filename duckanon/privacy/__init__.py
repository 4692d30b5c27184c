"""Privacy models, one file each: each renders the verdict over a relation of equivalence classes."""
