-- builds: population_file
-- reads: the input
-- one row: row of the population, as read
-- builds: source
-- reads: the input
-- one row: input row, as read
select *
from read_parquet(
    '<path>/population.parquet',
    hive_partitioning = false
)
