"""Privacy models, one file each. Each judges a relation of equivalence classes."""
