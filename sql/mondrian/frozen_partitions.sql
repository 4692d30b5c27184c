-- builds: frozen_partitions
-- reads: the frozen recoding
-- one row: partition of an earlier release: the cut that made it, and its labels where it was not cut
select *
from read_parquet({{ path | literal }}, hive_partitioning = false)
