-- builds: candidates
-- reads: spans, places
-- one row: partition that may be cut and attribute with several values in it, the widest first, by width times weight
{% set ordered = attributes | selectattr("is_ordered") | list %}
{% set branching = attributes | rejectattr("is_ordered") | list %}
with {% if ordered %}ranges as (
    {% for attribute in ordered %}
    select
        _partition,
        {{ attribute.number }} as _attribute,
        _low_{{ attribute.number }} as low,
        _high_{{ attribute.number }} as high,
        {{ attribute.placed }} as placed,
        {{ attribute.span | literal }} as span,
        cast({{ attribute.weight | literal }} as double) as _weight
    from spans
    where _low_{{ attribute.number }} < least(_high_{{ attribute.number }}, {{ attribute.placed }})
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

{% endif %}
{% if branching %}
categories as (
    {% for attribute in branching %}
    select
        _partition,
        {{ attribute.number }} as _attribute,
        _low_{{ attribute.number }} as low,
        _high_{{ attribute.number }} as high,
        cast({{ attribute.weight | literal }} as double) as _weight
    from spans
    where _low_{{ attribute.number }} < _high_{{ attribute.number }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
),

{% endif %}
widths as (
    {% if ordered %}
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
    {% endif %}
    {% if ordered and branching %}
    union all
    {% endif %}
    {% if branching %}
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
    {% endif %}
)

select
    *,
    row_number() over (partition by _partition order by _width * _weight desc, _attribute) as _rank
from widths
