"""Measure files: their equivalence classes, the models that they satisfy, the risk of their records, and what is required of them."""
