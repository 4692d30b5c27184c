-- builds: set_counts
-- reads: records
-- one row: set of columns: how many combinations of values it holds, NULL being a value, and the sum of their squared rows
with groups as (
    select
        0 as number,
        cast(count(*) as bigint) as _rows
    from records
    group by
        "age",
        "sex",
        "town"
)

select
    number,
    cast(count(*) as bigint) as combinations,
    cast(sum(cast(_rows as double) * _rows) as double) as squares
from groups
group by number
order by number
