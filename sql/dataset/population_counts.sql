-- builds: population_counts
-- reads: population, values_<column>
-- one row: distinct set of value codes in the population, with its rows
select
    {% for qi in quasi_identifiers %}
    {{ ("values_" ~ qi) | ident }}.code as {{ qi | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _population
from population
{% for qi in quasi_identifiers %}
join {{ ("values_" ~ qi) | ident }}
    on population.{{ qi | ident }} is not distinct from {{ ("values_" ~ qi) | ident }}.value
{% endfor %}
group by
    {% for qi in quasi_identifiers %}
    {{ ("values_" ~ qi) | ident }}.code{{ "," if not loop.last }}
    {% endfor %}
