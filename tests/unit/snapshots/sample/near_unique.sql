-- builds: near_unique
-- reads: sampled_records
-- one row: retained column: the rows that were read, the values that one or two of them have, the rows with a value that fewer than k persons or rows have, and the outliers above and below all others
with
counted_0 as (
    select
        _retained_0 as value,
        count(*) as _rows
    from sampled_records
    group by
        _retained_0
),

counted_1 as (
    select
        _retained_1 as value,
        count(*) as _rows
    from sampled_records
    group by
        _retained_1
),

counted_3 as (
    select
        _retained_3 as value,
        count(*) as _rows
    from sampled_records
    group by
        _retained_3
),

final as (
    select
        0 as kept,
        sum(_rows) as _rows,
        count(*) filter (where _rows = 1) as once,
        count(*) filter (where _rows = 2) as twice,
        coalesce(sum(_rows) filter (where _rows < 3 and value is not null), 0) as rows_of_few,
        0 as rows_above,
        0 as rows_below
    from counted_0
    union all
    select
        1 as kept,
        sum(_rows) as _rows,
        count(*) filter (where _rows = 1) as once,
        count(*) filter (where _rows = 2) as twice,
        coalesce(sum(_rows) filter (where _rows < 3 and value is not null), 0) as rows_of_few,
        0 as rows_above,
        0 as rows_below
    from counted_1
    union all
    select
        3 as kept,
        sum(_rows) as _rows,
        count(*) filter (where _rows = 1) as once,
        count(*) filter (where _rows = 2) as twice,
        coalesce(sum(_rows) filter (where _rows < 3 and value is not null), 0) as rows_of_few,
        0 as rows_above,
        0 as rows_below
    from counted_3
)

select * from final
order by kept
