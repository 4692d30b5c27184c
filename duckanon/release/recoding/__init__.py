"""The recoding of a release: what becomes of rows and classes, alike for every row or by regions of the table."""
