-- builds: candidates
-- reads: spans, places
-- one row: partition that may be cut and attribute with several values in it, the widest first, by width times weight
{% from "mondrian/ranges.jinja" import ranges_of %}
with ranges as (
    select
        _partition,
        {{ ranges_of(attributes) | indent(8) }}
    from spans
),

widths as (
    select
        ranges._partition,
        ranges._attribute,
        ranges._weight,
        ranges.placed as _placed,
        ranges.leaves_span as _leaves_span,
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
    where ranges.placed is not null
        and ranges.low < least(ranges.high, ranges.placed)
    union all
    -- without an order: the lowest label that covers the range
    select
        ranges._partition,
        ranges._attribute,
        ranges._weight,
        null as _placed,
        ranges.leaves_span as _leaves_span,
        min(places.level) as _level,
        false as _is_mixed,
        min_by(places.loss, places.level) as _width
    from ranges
    join places
        on ranges._attribute = places._attribute
        and ranges.low = places.position
        and ranges.high <= places.high
    where ranges.placed is null
        and ranges.low < ranges.high
    group by all
)

select
    *,
    row_number() over (partition by _partition order by _width * _weight desc, _attribute) as _rank
from widths
