-- builds: packed
-- reads: combinations or sensitive_<column> or cells
-- one row: row of the relation: for each level, the label code and perhaps the leaves that a row loses by suppression, in fields of bits of one number; and its measures
select
    cast("age_0" as bigint) * 64 as "age_0",
    cast("age_1" as bigint) * 64 as "age_1",
    cast("age_2" as bigint) * 64 as "age_2",
    cast("sex_0" as bigint) * 512 as "sex_0",
    cast("town_1" as bigint) * 1024 as "town_1",
    _rows
from "combinations"
