-- builds: near_unique
-- reads: sampled_records
-- one row: retained column: the rows that were read, the values that one or two of them have, the rows with a value that fewer than k persons or rows have, and the outliers above and below all others
with
counted_1 as (
    select
        _retained_1 as value,
        count(*) as _rows
    from sampled_records
    group by all
),

placed_1 as (
    select
        try_cast(value as double) as value,
        _rows,
        sum(_rows) over (order by try_cast(value as double)) as rows_up_to,
        sum(_rows) over (order by try_cast(value as double) desc) as rows_from,
        sum(_rows) over () as all_rows
    from counted_1
    where isfinite(try_cast(value as double))
),

marks_1 as (
    select
        min(value) filter (where 2 * rows_up_to >= all_rows) as middle,
        max(value) filter (where rows_from >= 5) as high,
        min(value) filter (where rows_up_to >= 5) as low
    from placed_1
    where all_rows >= 100
),

ends_1 as (
    select
        coalesce(sum(_rows) filter (where high > middle and value - middle > 5 * (high - middle)), 0) as rows_above,
        coalesce(sum(_rows) filter (where low < middle and middle - value > 5 * (middle - low)), 0) as rows_below
    from placed_1
    cross join marks_1
),

final as (
    select
        1 as kept,
        sum(_rows) as _rows,
        count(*) filter (where _rows = 1) as once,
        count(*) filter (where _rows = 2) as twice,
        coalesce(sum(_rows) filter (where _rows < 3 and value is not null), 0) as rows_of_few,
        (select rows_above from ends_1) as rows_above,
        (select rows_below from ends_1) as rows_below
    from counted_1
)

select * from final
order by kept
