-- builds: stored_rows
-- reads: what was written
-- one row: Parquet files of a pattern: their rows, from their footers
select cast(count(*) as bigint) as stored_rows
from read_parquet({{ files | literal }}, hive_partitioning = false)
