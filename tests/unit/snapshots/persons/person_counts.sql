-- builds: person_counts
-- reads: records
-- one row: column that may identify persons, with the rows of the input, the rows with a value, the distinct values, and those with few and with some rows
select
    0 as _number,
    cast(sum(_filled) as bigint) as _rows,
    cast(sum(_filled) filter (where _is_filled) as bigint) as _with_value,
    count(*) filter (where _is_filled) as _persons,
    count(*) filter (where _is_filled and _filled <= 10) as _few,
    count(*) filter (where _is_filled and _filled <= 1000) as _some
from (
    select
        count("person") > 0 as _is_filled,
        count(*) as _filled
    from records
    group by
        "person"
) as seen
