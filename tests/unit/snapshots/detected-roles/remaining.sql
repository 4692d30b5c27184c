-- builds: remaining
-- reads: cells
-- one row: distinct set of quasi-identifier values that no pass has released yet: its label codes for each level as digits of one number, with its rows
select
    _cell,
    cast("least_0" as bigint) * 1 as "least_0",
    cast("least_1" as bigint) * 1 as "least_1",
    cast("age_0" as bigint) * 1 as "age_0",
    cast("age_1" as bigint) * 1 as "age_1",
    cast("town_0" as bigint) * 7 as "town_0",
    cast("town_1" as bigint) * 7 as "town_1",
    cast("illness_0" as bigint) * 14 as "illness_0",
    cast("illness_1" as bigint) * 14 as "illness_1",
    _rows
from cells
