-- builds: near_unique
-- reads: sampled_records
-- one row: retained column: the rows that were read, the values that one or two of them have, the rows with a value that fewer than k persons or rows have, and the outliers above and below all others
with
counted_0 as (
    select
        _retained_0 as value,
        count(distinct _retained_1) + max(case when _retained_1 is null then 1 else 0 end) as _holders,
        count(*) as _rows
    from sampled_records
    group by all
),

ends_of_persons_0 as (
    select
        _retained_1 as person,
        max(try_cast(_retained_0 as double)) filter (where isfinite(try_cast(_retained_0 as double))) as value
    from sampled_records
    group by all
    union
    select
        _retained_1 as person,
        min(try_cast(_retained_0 as double)) filter (where isfinite(try_cast(_retained_0 as double))) as value
    from sampled_records
    group by all
    
),

spread_0 as (
    select
        value,
        count(*) as _rows
    from ends_of_persons_0
    group by all
),

placed_0 as (
    select
        try_cast(value as double) as value,
        _rows,
        sum(_rows) over (order by try_cast(value as double)) as rows_up_to,
        sum(_rows) over (order by try_cast(value as double) desc) as rows_from,
        sum(_rows) over () as all_rows
    from spread_0
    where isfinite(try_cast(value as double))
),

marks_0 as (
    select
        min(value) filter (where 2 * rows_up_to >= all_rows) as middle,
        max(value) filter (where rows_from >= 5) as high,
        min(value) filter (where rows_up_to >= 5) as low
    from placed_0
    where all_rows >= 100
),

ends_0 as (
    select
        coalesce(sum(_rows) filter (where high > middle and value - middle > 5 * (high - middle)), 0) as rows_above,
        coalesce(sum(_rows) filter (where low < middle and middle - value > 5 * (middle - low)), 0) as rows_below
    from placed_0
    cross join marks_0
),

final as (
    select
        0 as kept,
        sum(_rows) as _rows,
        count(*) filter (where _rows = 1) as once,
        count(*) filter (where _rows = 2) as twice,
        coalesce(sum(_rows) filter (where _holders < 3 and value is not null), 0) as rows_of_few,
        (select rows_above from ends_0) as rows_above,
        (select rows_below from ends_0) as rows_below
    from counted_0
)

select * from final
order by kept
