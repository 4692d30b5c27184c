-- builds: release
-- reads: the file that was written
-- one row: released row, as read back from the file
select *
from read_parquet('<path>/people.anonymized.parquet', hive_partitioning = false)
