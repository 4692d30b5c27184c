"""Generalization hierarchies: declared in files, built as lookup tables, checked against the data."""
