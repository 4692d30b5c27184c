-- builds: packed_combinations
-- reads: combinations
-- one row: distinct set of quasi-identifier values: the label codes of its levels as digits of one number, and its rows
select
    cast("age_0" as bigint) * 64 as "age_0",
    cast("age_1" as bigint) * 64 as "age_1",
    cast("age_2" as bigint) * 64 as "age_2",
    cast("age_3" as bigint) * 64 as "age_3",
    cast("sex_0" as bigint) * 448 as "sex_0",
    cast("sex_1" as bigint) * 448 as "sex_1",
    cast("town_1" as bigint) * 896 as "town_1",
    cast("town_2" as bigint) * 896 as "town_2",
    _rows
from combinations
