-- builds: person_counts
-- reads: records
-- one row: column that may identify persons, with the rows of the input, the rows with a value, the distinct values, and those with few and with some rows
select
    0 as _number,
    (
        select cast(count(*) as bigint)
        from records
    ) as _rows,
    cast(sum(_filled) as bigint) as _with_value,
    cast(count(*) as bigint) as _persons,
    cast(count(*) filter (where _filled <= 10) as bigint) as _few,
    cast(count(*) filter (where _filled <= 1000) as bigint) as _some
from (
    select count(*) as _filled
    from records
    where "name" is not null
    group by
        "name"
) as seen
