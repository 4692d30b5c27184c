-- builds: remaining
-- reads: cells
-- one row: distinct set of quasi-identifier values that no pass has released yet: its label codes for each level as digits of one number, with its rows
select
    _cell,
    cast("age_0" as bigint) * 1 as "age_0",
    cast("age_1" as bigint) * 1 as "age_1",
    cast("age_2" as bigint) * 1 as "age_2",
    cast("age_3" as bigint) * 1 as "age_3",
    cast("sex_0" as bigint) * 7 as "sex_0",
    cast("sex_1" as bigint) * 7 as "sex_1",
    cast("town_1" as bigint) * 14 as "town_1",
    cast("town_2" as bigint) * 14 as "town_2",
    _rows
from cells
