-- builds: expected_population
-- reads: population, recoding_<column>
-- one row: set of labels that the population gives through the recoding, with its rows
select
    {% for qi in quasi_identifiers %}
    {{ ("recoding_" ~ qi) | ident }}.label as {{ qi | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _population
from population
{% for qi in quasi_identifiers %}
join {{ ("recoding_" ~ qi) | ident }}
    on population.{{ qi | ident }} is not distinct from {{ ("recoding_" ~ qi) | ident }}.value
{% endfor %}
group by
    {% for qi in quasi_identifiers %}
    {{ ("recoding_" ~ qi) | ident }}.label{{ "," if not loop.last }}
    {% endfor %}
