-- builds: tables
-- reads: the database's own catalogue
-- one row: table of the database: its schema and its name
select
    schema_name,
    table_name
from duckdb_tables()
