-- builds: source_distributions
-- reads: the frozen recoding
-- one row: sensitive column and value of it, with its rows in the whole table, its place in the order, and its labels
select *
from read_parquet({{ path | literal }}, hive_partitioning = false)
