-- builds: tables
-- reads: the database's own catalogue
-- one row: table or view of a database: its schema and its name
select
    schema_name,
    table_name
from duckdb_tables()
where not internal and database_name = {{ "current_database()" if database is none else database | literal }}
union all
select
    schema_name,
    view_name
from duckdb_views()
where not internal and database_name = {{ "current_database()" if database is none else database | literal }}
order by all
