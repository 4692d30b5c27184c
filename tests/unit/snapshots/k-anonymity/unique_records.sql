-- builds: unique_records
-- reads: release
-- one row: the written file: its records that no other record equals in all columns
with hashes as (
    select
        hash("age", "sex", "town", "illness", "pay") as _hash,
        count(*) as _rows
    from release
    group by hash("age", "sex", "town", "illness", "pay")
),

compared as (
    select count(*) as _rows
    from release
    where hash("age", "sex", "town", "illness", "pay") in (
        select _hash
        from hashes
        where _rows > 1
    )
    group by
        "age",
        "sex",
        "town",
        "illness",
        "pay"
)

select
    cast((select count(*) from hashes where _rows = 1) + (select count(*) from compared where _rows = 1) as bigint) as unique_records
