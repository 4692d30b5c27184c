-- builds: cells
-- reads: combinations
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select
    row_number() over () as _cell,
    "age_0",
    "age_1",
    "age_2",
    "age_3",
    "sex_0",
    "sex_1",
    "town_1",
    "town_2",
    cast(sum(_rows) as bigint) as _rows
from combinations
group by all
