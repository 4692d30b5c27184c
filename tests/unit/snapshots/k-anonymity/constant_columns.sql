-- builds: constant_columns
-- reads: release
-- one row: the written file: its rows, and for each column the non-empty cells and whether they hold a single value
select
    cast(count("age") as bigint) as "filled_0",
    case when min("age") = max("age") then 1 else 0 end as "single_0",
    cast(count("sex") as bigint) as "filled_1",
    case when min("sex") = max("sex") then 1 else 0 end as "single_1",
    cast(count("town") as bigint) as "filled_2",
    case when min("town") = max("town") then 1 else 0 end as "single_2",
    cast(count("illness") as bigint) as "filled_3",
    case when min("illness") = max("illness") then 1 else 0 end as "single_3",
    cast(count("pay") as bigint) as "filled_4",
    case when min("pay") = max("pay") then 1 else 0 end as "single_4",
    cast(count(*) as bigint) as _rows
from release
