-- builds: ends_<column>
-- reads: extents, ordered_codes_<column>
-- one row: range of positions of a partition: the ends that its label shows, and the positions that they cover
{% from "mondrian/place.jinja" import last_positions, place %}
{% from "release/rounded.jinja" import rounded %}
{% set positions, number, grid = ("ordered_codes_" ~ attribute.name) | ident, attribute.number, attribute.grid %}
with ranges as (
    select distinct
        _low_{{ number }} as first,
        _high_{{ number }} as last
    from extents
){{ "," if grid }}
{% if grid %}

placed as (
    select
        ranges.*,
        {{ "try_cast(lowest.label as double)" if attribute.by_text else "lowest.place" }} as low,
        {{ "try_cast(highest.label as double)" if attribute.by_text else "highest.place" }} as high
    from ranges
    join {{ positions }} as lowest
        on ranges.first = lowest.position
    join {{ positions }} as highest
        on ranges.last = highest.position
    where first < last and last < {{ attribute.placed }}
),

shown as (
    select
        first,
        last,
        {{ rounded("low", "low", "high", grid, false) | indent(8) }} as _from,
        {{ rounded("high", "low", "high", grid, true) | indent(8) }} as _to
    from placed
),

reached as (
    select
        shown.*,
        {{ place(attribute, "_from") }} as from_place,
        {{ place(attribute, "_to") }} as to_place
    from shown
),

covered as (
    select
        reached.first,
        reached.last,
        reached._from,
        reached._to,
        coalesce(before.position + 1, 0) as low,
        upto.position as high,
        {% if attribute.measure == "time" %}
        epoch(to_place) - epoch(from_place) as width
        {% else %}
        {{ 1 if attribute.is_exact else 0.5 }} * (cast(_to as double) - cast(_from as double)) as width
        {% endif %}
    from reached
    asof left join {{ last_positions(positions) | indent }} as before
        on reached.from_place > before.place
    asof left join {{ last_positions(positions) | indent }} as upto
        on reached.to_place >= upto.place
)
{% endif %}

select
    ranges.first,
    ranges.last,
    {% if grid %}
    coalesce(covered.low, ranges.first) as low,
    coalesce(covered.high, ranges.last) as high,
    coalesce(covered._from, lowest.label) as _from,
    coalesce(covered._to, highest.label) as _to,
    least(coalesce(covered.width, highest.point - lowest.point), {{ attribute.span | literal }}) as width
    {% else %}
    ranges.first as low,
    ranges.last as high,
    lowest.label as _from,
    highest.label as _to,
    highest.point - lowest.point as width
    {% endif %}
from ranges
join {{ positions }} as lowest
    on ranges.first = lowest.position
join {{ positions }} as highest
    on ranges.last = highest.position
{% if grid %}
left join covered
    on ranges.first = covered.first
    and ranges.last = covered.last
    and covered.low <= ranges.first
    and covered.high >= ranges.last
{% endif %}
