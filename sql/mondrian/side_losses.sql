-- builds: side_losses
-- reads: sides, cells, places
-- one row: possible cut of a partition, with the loss of its sides by their labels
{% from "mondrian/range_loss.jinja" import range_loss %}
{% set numbers = attributes | map(attribute="number") | list %}
with extents as (
    select
        sides._partition,
        sides._rank,
        sides._variant,
        sides._side,
        cast(sum(cells._rows) as bigint) as _rows,
        {% for attribute in attributes %}
        min(cells.{{ attribute.name | ident }}) as _low_{{ attribute.number }},
        max(cells.{{ attribute.name | ident }}) as _high_{{ attribute.number }}{{ "," if not loop.last }}
        {% endfor %}
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
        unnest({{ numbers }}) as _attribute,
        unnest([_low_{{ numbers | join(", _low_") }}]) as low,
        unnest([_high_{{ numbers | join(", _high_") }}]) as high,
        unnest(cast({{ attributes | map(attribute="placed") | list | literal }} as integer[])) as placed,
        unnest(cast({{ attributes | map(attribute="leaves_span") | list | literal }} as double[])) as span,
        unnest(cast({{ attributes | map(attribute="weight") | list | literal }} as double[])) as _weight
    from extents
),

losses as (
    select
        ranges._partition,
        ranges._rank,
        ranges._variant,
        ranges._rows * ranges._weight * {{ range_loss("ranges.low", "ranges.high", "lowest.leaves", "highest.leaves", "lowest.loss", show_extremes) }} as loss
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
