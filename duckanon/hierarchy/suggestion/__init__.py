"""Suggest a valid hierarchy for a column from its type and values, with the reason."""
