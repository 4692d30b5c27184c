-- builds: parquet_schema
-- reads: the input
-- one row: name in the schema of a Parquet file, its root first, each before the names inside it
select
    name,
    coalesce(num_children, 0) as names_inside
from parquet_schema({{ file | literal }})
