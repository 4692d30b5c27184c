-- builds: saved_partitions
-- reads: the saved recoding
-- one row: partition of an earlier release: the cut that made it, and the labels of an uncut partition
select *
from read_parquet({{ path | literal }}, hive_partitioning = false)
