-- builds: constant_columns
-- reads: release
-- one row: the written file: its rows, and for each column the non-empty cells and whether they hold a single value
select
    cast(count("sex") as bigint) as "filled_0",
    case when min("sex") = max("sex") then 1 else 0 end as "single_0",
    cast(count("illness") as bigint) as "filled_1",
    case when min("illness") = max("illness") then 1 else 0 end as "single_1",
    cast(count("pay") as bigint) as "filled_2",
    case when min("pay") = max("pay") then 1 else 0 end as "single_2",
    cast(count(*) as bigint) as _rows
from release
