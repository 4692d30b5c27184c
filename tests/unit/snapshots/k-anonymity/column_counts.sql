-- builds: column_counts
-- reads: records
-- one row: the input: its rows, and for each column the non-empty cells, the approximate number of distinct values, the least and the greatest value
select
    cast(count(*) as bigint) as _rows,
    cast(count("illness") as bigint) as "filled_0",
    cast(approx_count_distinct("illness") as bigint) as "values_0",
    cast(null as double) as "least_0",
    cast(null as double) as "greatest_0"
from records
