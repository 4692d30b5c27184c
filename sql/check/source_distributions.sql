-- builds: source_distributions
-- reads: the saved recoding
-- one row: sensitive column and value, with the rows of the value in the whole table, its position in the order, and its labels
select *
from read_parquet({{ path | literal }}, hive_partitioning = false)
