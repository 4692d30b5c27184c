-- builds: unique_records
-- reads: release (perhaps records)
-- one row: the written file, or the input: its records that differ from every other record
with hashes as materialized (
    -- whole rows as keys would need a hundred times the memory; and of hashes that are mostly unique, a sort is cheaper than a grouping
    select
        hash("sex", "illness", "pay") as _hash,
        hash(1, "sex", "illness", "pay") as _second_hash
    from release
    order by
        _hash,
        _second_hash
),

numbered as (
    select
        _hash <> lag(_hash) over () or _second_hash <> lag(_second_hash) over () as _differs,
        row_number() over () as _number
    from hashes
),

firsts as (
    select _number
    from numbered
    where _differs or _number = 1
),

sizes as (
    select coalesce(lead(_number) over (), (select count(*) + 1 from hashes)) - _number as _rows
    from firsts
)

select
    cast(count(*) filter (where _rows = 1) as bigint) as unique_records
from sizes
