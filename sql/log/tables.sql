-- builds: tables
-- reads: the database's own catalog
-- one row: table or view of a database: its schema, its name, whether it is a view, and the rows of a table
{% set of_database = "not internal and database_name = %s" % ("current_database()" if database is none else database | literal) %}
select
    schema_name,
    table_name,
    false as is_view,
    estimated_size as _rows
from duckdb_tables()
where {{ of_database }}
union all
select
    schema_name,
    view_name,
    true,
    null
from duckdb_views()
where {{ of_database }}
order by all
