-- builds: standing
-- reads: the database's own catalog
-- one row: existing relation: its name, whether it is a view, and the rows of a table
select
    table_name as name,
    false as is_view,
    estimated_size as _rows
from duckdb_tables()
where database_name = current_database() and schema_name = 'duckanon'
union all
select
    view_name,
    true,
    null
from duckdb_views()
where database_name = current_database() and schema_name = 'duckanon'
