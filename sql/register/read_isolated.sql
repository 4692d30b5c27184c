-- builds: isolated
-- reads: the saved recoding
-- one row: set of values, or person, whose records the release left out because registered releases would isolate them
select *
from read_parquet({{ file | literal }}, hive_partitioning = false)
