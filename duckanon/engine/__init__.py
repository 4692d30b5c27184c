"""DuckDB, Spark, SQL templates and the catalog of relations. No other package uses a database driver."""
