-- builds: unique_records
-- reads: release
-- one row: the written file: its records that no other record equals in all columns
with hashes as (
    -- whole rows as keys would take a hundred times the memory of their hashes
    select
        hash("person", "least", "age", "sex", "town", "illness", "pay") as _hash,
        count(*) as _rows
    from release
    group by hash("person", "least", "age", "sex", "town", "illness", "pay")
),

sizes as (
    select _rows
    from hashes
    where _rows = 1
    union all
    select count(*) as _rows
    from release
    where hash("person", "least", "age", "sex", "town", "illness", "pay") in (
        select _hash
        from hashes
        where _rows > 1
    )
    group by
        "person",
        "least",
        "age",
        "sex",
        "town",
        "illness",
        "pay"
)

select
    cast(count(*) filter (where _rows = 1) as bigint) as unique_records
from sizes
