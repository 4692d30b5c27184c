-- builds: parquet_schema
-- reads: the input
-- one row: name in the schema of a Parquet file, the root first and each parent before its children
select
    name,
    coalesce(num_children, 0) as names_inside
from parquet_schema('<path>/people.parquet')
