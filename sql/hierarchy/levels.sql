-- builds: levels_<column>
-- reads: values_<column>, hierarchy_<column>, labels_<column>
-- one row: value code, with the code of its label on each level
select
    present.code,
    {% for level in range(height + 1) %}
    labels_{{ level }}.code as level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("values_" ~ column) | ident }} as present
join {{ ("hierarchy_" ~ column) | ident }} as hierarchy
    on present.text is not distinct from hierarchy.value
{% for level in range(height + 1) %}
join {{ ("labels_" ~ column) | ident }} as labels_{{ level }}
    on labels_{{ level }}.level = {{ level }}
    and labels_{{ level }}.label is not distinct from hierarchy.level_{{ level }}
{% endfor %}
