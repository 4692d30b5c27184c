-- builds: constant_columns
-- reads: records, release or written_classes
-- one row: the written file, or its first rows: its rows or classes, and for each column the non-empty cells and whether they hold a single value
with compared as (
    select
        "least"
    from records
    limit 10000
)

select
    cast(count("least") as bigint) as "filled_0",
    case when min("least") = max("least") then 1 else 0 end as "single_0",
    cast(count(*) as bigint) as _rows
from compared
