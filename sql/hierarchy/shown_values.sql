-- builds: shown_values
-- reads: hierarchy_<column>, values_<column>
-- one row: value of the hierarchy or the data, with its label on each level and its rows
select
    hierarchy.value,
    {% for level in range(height + 1) %}
    hierarchy.level_{{ level }},
    {% endfor %}
    coalesce(present._rows, 0) as _rows
from {{ ("hierarchy_" ~ column) | ident }} as hierarchy
left join {{ ("values_" ~ column) | ident }} as present
    on hierarchy.value is not distinct from present.text
order by
    present.code nulls last,
    {% for level in range(height, 0, -1) %}
    hierarchy.level_{{ level }},
    {% endfor %}
    hierarchy.value
{% if limit is not none %}
limit {{ limit }}
{% endif %}
