"""The recoding of a release: full-domain (the same levels for all rows) or local (by regions of the table)."""
