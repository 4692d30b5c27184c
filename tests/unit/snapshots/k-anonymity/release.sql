-- builds: release
-- reads: what was written
-- one row: released row, as read back from the file
select *
from read_parquet(
    '<path>/people.anonymized.parquet',
    hive_partitioning = false
)
