"""DuckDB, Spark, SQL templates, the catalog of relations; the only code that knows a database driver."""
