-- builds: cells
-- reads: combinations
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select
    row_number() over () as _cell,
    "least_0",
    "least_1",
    "age_0",
    "age_1",
    "town_0",
    "town_1",
    "illness_0",
    "illness_1",
    cast(sum(_rows) as bigint) as _rows
from combinations
group by all
