-- builds: source
-- reads: the input
-- one row: input row, as read
select *
from read_parquet(
    '<path>/population.parquet',
    hive_partitioning = false
)
