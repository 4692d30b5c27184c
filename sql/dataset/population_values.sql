-- builds: population_values
-- reads: population
-- one row: quasi-identifier and distinct value in the population
select
    case
        {% for qi in quasi_identifiers %}
        when grouping({{ qi | ident }}) = 0 then {{ loop.index0 }}
        {% endfor %}
    end as _attribute,
    {% for qi in quasi_identifiers %}
    {{ qi | ident }}{{ "," if not loop.last }}
    {% endfor %}
from population
group by grouping sets (
    {%- for qi in quasi_identifiers %}({{ qi | ident }}){{ ", " if not loop.last }}{% endfor -%}
)
