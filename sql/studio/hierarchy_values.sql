-- builds: hierarchy_values
-- reads: hierarchy_<column>, values_<column> (perhaps listed_<column>)
-- one row: value of the hierarchy or the data that has a text in it or in a label, with its label on each level, its rows, and the number of such values
with labelled as (
    select
        hierarchy.value,
        {% for level in range(1, height + 1) %}
        hierarchy.level_{{ level }},
        {% endfor %}
        coalesce(present._rows, 0) as _rows,
        present.code as _code,
        {{ "listed.cell_0" if is_ordered else "null" }} as _place
    from {{ ("hierarchy_" ~ column) | ident }} as hierarchy
    left join {{ ("values_" ~ column) | ident }} as present
        on hierarchy.value is not distinct from present.text
    {% if is_ordered %}
    left join {{ ("listed_" ~ column) | ident }} as listed
        on hierarchy.value = listed.cell_1
    {% endif %}
)

select
    value,
    {% for level in range(1, height + 1) %}
    level_{{ level }},
    {% endfor %}
    _rows,
    cast(count(*) over () as bigint) as _all
from labelled
{% if text %}
where strpos(lower(value), {{ text | literal }}) > 0
    {% for level in range(1, height + 1) %}
    or strpos(lower(level_{{ level }}), {{ text | literal }}) > 0
    {% endfor %}
{% endif %}
order by
    _place nulls last,
    _code nulls last,
    value
limit {{ limit }}
