-- builds: tables
-- reads: the database's own catalog
-- one row: table or view of a database: its schema, its name, and whether it is a view
select
    schema_name,
    table_name,
    false as is_view
from duckdb_tables()
where not internal and database_name = {{ "current_database()" if database is none else database | literal }}
union all
select
    schema_name,
    view_name,
    true as is_view
from duckdb_views()
where not internal and database_name = {{ "current_database()" if database is none else database | literal }}
order by all
