-- builds: stored_rows
-- reads: what was written
-- one row: Parquet files, named by a pattern: their rows, as their footers tell
select cast(count(*) as bigint) as stored_rows
from read_parquet({{ files | literal }}, hive_partitioning = false)
