-- builds: branches
-- reads: levels_<column>, labels_<column>
-- one row: branch of a hierarchy, as its labels from the top down to a level, with a limited number of branches below each label
{% set listed = range(top, bottom - 1, -1) | list %}
with placed as (
    select distinct
        {% for level in listed %}
        {% if not loop.first %}
        dense_rank() over (partition by level_{{ listed[:loop.index0] | join(", level_") }} order by level_{{ level }}) as place_{{ level }},
        {% endif %}
        level_{{ level }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ ("levels_" ~ column) | ident }}
)

select
    {% for level in listed %}
    labels_{{ level }}.label as label_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from placed
{% for level in listed %}
join {{ ("labels_" ~ column) | ident }} as labels_{{ level }}
    on labels_{{ level }}.level = {{ level }}
    and labels_{{ level }}.code = placed.level_{{ level }}
{% endfor %}
{% for level in listed[1:] %}
{{ "where" if loop.first else "    and" }} place_{{ level }} <= {{ most }}
{% endfor %}
order by
    level_{{ listed | join(",\n    level_") }}
