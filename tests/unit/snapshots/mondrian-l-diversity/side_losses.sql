-- builds: side_losses
-- reads: sides, cells, places
-- one row: possible cut of a partition, with the loss of its sides by their labels
with extents as (
    select
        sides._partition,
        sides._rank,
        sides._variant,
        sides._side,
        cast(sum(cells._rows) as bigint) as _rows,
        min(cells."age") as _low_1,
        max(cells."age") as _high_1,
        min(cells."sex") as _low_2,
        max(cells."sex") as _high_2,
        min(cells."town") as _low_3,
        max(cells."town") as _high_3
    from sides
    join cells
        on sides._cell = cells._cell
    group by all
),

ranges as (
    select
        _partition,
        _rank,
        _variant,
        _side,
        _rows,
        unnest([1, 2, 3]) as _attribute,
        unnest([_low_1, _low_2, _low_3]) as low,
        unnest([_high_1, _high_2, _high_3]) as high,
        unnest(cast([7, null, null] as integer[])) as placed,
        unnest(cast([6.0, 1.0, 1.0] as double[])) as span,
        unnest(cast([1.0, 1.0, 1.0] as double[])) as _weight
    from extents
),

losses as (
    select
        ranges._partition,
        ranges._rank,
        ranges._variant,
        ranges._rows * ranges._weight * case when ranges.low = ranges.high then lowest.loss when ranges.high >= placed or (ranges.low = 0 and ranges.high = placed - 1) then 1.0 else (highest.leaves - lowest.leaves) / span end as loss
    from ranges
    join places as lowest
        on ranges._attribute = lowest._attribute
        and ranges.low = lowest.position
    join places as highest
        on ranges._attribute = highest._attribute
        and ranges.high = highest.position
    where ranges.placed is not null
    union all
    -- without an order: the lowest label that covers the range
    select
        ranges._partition,
        ranges._rank,
        ranges._variant,
        any_value(ranges._rows * ranges._weight) * min_by(places.loss, places.level) as loss
    from ranges
    join places
        on ranges._attribute = places._attribute
        and ranges.low = places.position
        and ranges.high <= places.high
    where ranges.placed is null
    group by
        ranges._partition,
        ranges._rank,
        ranges._variant,
        ranges._side,
        ranges._attribute
)

-- decimals are added exactly, in any order
select
    _partition,
    _rank,
    _variant,
    round(sum(cast(loss as decimal(38, 12))), 9) as loss
from losses
group by
    _partition,
    _rank,
    _variant
