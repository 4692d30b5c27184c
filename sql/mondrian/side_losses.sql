-- builds: side_losses
-- reads: cuts, sides, cells, places, partitions
-- one row: possible cut of a partition, with what its sides lose less by their labels, for the information that it shows
{% from "mondrian/range_loss.jinja" import range_loss %}
{% from "mondrian/ranges.jinja" import ranges_of %}
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

compared as (
    select * from extents
    union all
    -- the partition itself
    select
        extents._partition,
        null as _rank,
        null as _variant,
        null as _side,
        any_value(partitions._rows) as _rows,
        {% for number in numbers %}
        min(_low_{{ number }}) as _low_{{ number }},
        max(_high_{{ number }}) as _high_{{ number }}{{ "," if not loop.last }}
        {% endfor %}
    from extents
    join partitions
        on extents._partition = partitions._partition
    group by extents._partition
),

ranges as (
    select
        _partition,
        _rank,
        _variant,
        _side,
        _rows,
        {{ ranges_of(attributes) | indent(8) }}
    from compared
),

losses as (
    select
        ranges._partition,
        ranges._rank,
        ranges._variant,
        ranges._rows * ranges._weight * {{ range_loss("ranges.low", "ranges.high", "lowest.leaves", "highest.leaves", "lowest.loss", show_extremes, span="leaves_span") }} as loss
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
),

-- decimals are added exactly, in any order
summed as (
    select
        _partition,
        _rank,
        _variant,
        sum(cast(loss as decimal(38, 12))) as loss
    from losses
    group by
        _partition,
        _rank,
        _variant
)

select
    sides._partition,
    sides._rank,
    sides._variant,
    round(cast(uncut.loss - sides.loss as double) / cuts._bits, 9) as gain
from summed as sides
join summed as uncut
    on sides._partition = uncut._partition
    and uncut._rank is null
join cuts
    on sides._partition = cuts._partition
    and sides._rank = cuts._rank
    and sides._variant = cuts._variant
