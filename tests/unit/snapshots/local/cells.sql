-- builds: cells
-- reads: combinations
-- one row: distinct set of quasi-identifier values, by its number, with the region that it lies in, and its rows
select
    row_number() over () as _cell,
    combinations.* exclude (_rows),
    cast(sum(_rows) as bigint) as _rows
from combinations
group by all
