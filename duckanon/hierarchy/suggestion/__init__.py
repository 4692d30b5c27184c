"""A hierarchy for a column whose user has none: from its type and its values, always valid, with the reason."""
