-- builds: unique_records
-- reads: release
-- one row: the written file: its records that no other record equals in all columns
with hashes as (
    select
        hash("sex", "illness", "pay") as _hash,
        count(*) as _rows
    from release
    group by hash("sex", "illness", "pay")
),

compared as (
    select count(*) as _rows
    from release
    where hash("sex", "illness", "pay") in (
        select _hash
        from hashes
        where _rows > 1
    )
    group by
        "sex",
        "illness",
        "pay"
)

select
    cast((select count(*) from hashes where _rows = 1) + (select count(*) from compared where _rows = 1) as bigint) as unique_records
