-- builds: person_like_values
-- reads: sampled_records
-- one row: column of the sample, with its values, those with few and with some rows, those with several, and of these those with one value of each quasi-identifier
select
    0 as _number,
    count(*) as _values,
    count(*) filter (where _rows <= 10) as _few,
    count(*) filter (where _rows <= 1000) as _some,
    count(*) filter (where _rows > 1) as _repeated,
    count(*) filter (where _rows > 1 and _same_0) as _constant_0
from (
    select
        min(_value_0) is not distinct from max(_value_0) as _same_0,
        count(*) as _rows
    from sampled_records
    where _retained_0 is not null
    group by
        _retained_0
) as seen
union all
select
    1 as _number,
    count(*) as _values,
    count(*) filter (where _rows <= 10) as _few,
    count(*) filter (where _rows <= 1000) as _some,
    count(*) filter (where _rows > 1) as _repeated,
    count(*) filter (where _rows > 1 and _same_0) as _constant_0
from (
    select
        min(_value_0) is not distinct from max(_value_0) as _same_0,
        count(*) as _rows
    from sampled_records
    where _retained_1 is not null
    group by
        _retained_1
) as seen
