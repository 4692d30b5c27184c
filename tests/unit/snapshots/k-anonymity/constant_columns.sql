-- builds: constant_columns
-- reads: records, release or written_classes
-- one row: the written file, or its first rows: its rows or classes, and for each column the non-empty cells and whether they hold a single value
with compared as (
    select
        "age",
        "sex",
        "town"
    from written_classes
    limit 10000
)

select
    cast(count("age") as bigint) as "filled_0",
    case when min("age") = max("age") then 1 else 0 end as "single_0",
    cast(count("sex") as bigint) as "filled_1",
    case when min("sex") = max("sex") then 1 else 0 end as "single_1",
    cast(count("town") as bigint) as "filled_2",
    case when min("town") = max("town") then 1 else 0 end as "single_2",
    cast(count(*) as bigint) as _rows
from compared
