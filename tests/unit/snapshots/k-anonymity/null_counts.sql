-- builds: null_counts
-- reads: records
-- one row: the rows that take part: for each column, those without a value
select
    cast(count(*) - count("illness") as bigint) as "nulls_0"
from records
