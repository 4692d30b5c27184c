"""Anonymizes large tables with DuckDB, and verifies what it wrote."""

__version__ = "0.1.0"
