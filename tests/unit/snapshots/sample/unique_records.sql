-- builds: unique_records
-- reads: release (perhaps records)
-- one row: the written file, or the input: its records that differ from every other record
with hashes as (
    -- whole rows as keys would need a hundred times the memory of hashes
    select
        hash("person", "least", "age", "sex", "town", "illness", "pay") as _hash,
        count(*) as _rows,
        min(hash(1, "person", "least", "age", "sex", "town", "illness", "pay")) <> max(hash(1, "person", "least", "age", "sex", "town", "illness", "pay")) as _differ
    from release
    group by hash("person", "least", "age", "sex", "town", "illness", "pay")
),

sizes as (
    select _rows
    from hashes
    where not _differ
    union all
    select count(*) as _rows
    from release
    where hash("person", "least", "age", "sex", "town", "illness", "pay") in (
        select _hash
        from hashes
        where _differ
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
