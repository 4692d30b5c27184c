-- builds: packed_combinations
-- reads: combinations
-- one row: distinct set of quasi-identifier values: the label codes of its levels as digits of one number, and its rows
select
    cast("least_0" as bigint) * 64 as "least_0",
    cast("least_1" as bigint) * 64 as "least_1",
    cast("age_0" as bigint) * 64 as "age_0",
    cast("age_1" as bigint) * 64 as "age_1",
    cast("sex_0" as bigint) * 448 as "sex_0",
    cast("sex_1" as bigint) * 448 as "sex_1",
    cast("town_0" as bigint) * 896 as "town_0",
    cast("town_1" as bigint) * 896 as "town_1",
    cast("illness_0" as bigint) * 1792 as "illness_0",
    cast("illness_1" as bigint) * 1792 as "illness_1",
    cast("pay_0" as bigint) * 5376 as "pay_0",
    cast("pay_1" as bigint) * 5376 as "pay_1",
    _rows
from combinations
