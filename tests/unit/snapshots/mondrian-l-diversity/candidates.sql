-- builds: candidates
-- reads: spans, places
-- one row: partition that may be cut and attribute with several values in it, the widest first, by width times weight
with ranges as (
    select
        _partition,
        1 as _attribute,
        _low_1 as low,
        _high_1 as high,
        7 as placed,
        21.0 as span,
        cast(1.0 as double) as _weight
    from spans
    where _low_1 < least(_high_1, 7)
),

categories as (
    select
        _partition,
        2 as _attribute,
        _low_2 as low,
        _high_2 as high,
        cast(1.0 as double) as _weight
    from spans
    where _low_2 < _high_2
    union all
    select
        _partition,
        3 as _attribute,
        _low_3 as low,
        _high_3 as high,
        cast(1.0 as double) as _weight
    from spans
    where _low_3 < _high_3
),

widths as (
    select
        ranges._partition,
        ranges._attribute,
        ranges._weight,
        cast(null as integer) as _level,
        ranges.high >= ranges.placed as _is_mixed,
        case
            when ranges.high >= ranges.placed then 1.0
            else (highest.point - lowest.point) / ranges.span
        end as _width
    from ranges
    join places as lowest
        on ranges._attribute = lowest._attribute
        and ranges.low = lowest.position
    join places as highest
        on ranges._attribute = highest._attribute
        and ranges.high = highest.position
    union all
    select
        categories._partition,
        categories._attribute,
        categories._weight,
        min(places.level) as _level,
        false as _is_mixed,
        min_by(places.loss, places.level) as _width
    from categories
    join places
        on categories._attribute = places._attribute
        and categories.low = places.position
        and categories.high <= places.high
    group by
        categories._partition,
        categories._attribute,
        categories._weight
)

select
    *,
    row_number() over (partition by _partition order by _width * _weight desc, _attribute) as _rank
from widths
