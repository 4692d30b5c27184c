-- builds: copied_rows
-- reads: the private copy
-- one row: the private copy of the input: its rows, and those whose cells have another checksum than the input had
select
    count(*) as copied_rows,
    count(*) filter (where _checksum <> hash({{ columns | map("ident") | join(", ") }})) as damaged_rows
from read_parquet({{ copy | literal }}, hive_partitioning = false)
