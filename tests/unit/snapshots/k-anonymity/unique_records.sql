-- builds: unique_records
-- reads: release (perhaps records)
-- one row: the written file, or the input: the distinct sets of values of all columns (NULL is a value), the rows of the smallest set, and the rows that differ from every other row
with hashes as materialized (
    -- whole rows as keys would need a hundred times the memory; and of hashes that are mostly unique, a sort is cheaper than a grouping
    -- hash() does not distinguish nested values with the same leaves, but their texts
    select
        hash("age", "sex", "town", "illness", "pay") as _hash,
        hash(1, "age", "sex", "town", "illness", "pay") as _second_hash
    from release
    order by
        _hash,
        _second_hash
),

numbered as (
    -- equal rows are neighbours
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
    cast(count(*) as bigint) as record_sets,
    cast(min(_rows) as bigint) as smallest,
    cast(count(*) filter (where _rows = 1) as bigint) as unique_records
from sizes
