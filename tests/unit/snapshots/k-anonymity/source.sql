-- builds: source
-- reads: the input
-- one row: input row, as read
select *
from read_parquet(
    '<path>/people.parquet',
    hive_partitioning = false
)
