-- builds: expected_classes
-- reads: expected_groups (perhaps expected_population)
-- one row: set of labels that the source gives through the recoding, with its rows and the fingerprints of their cells
select
    groups.*{{ "," if population }}
    {% if population %}
    coalesce(expected_population._population, 0) as _population
    {% endif %}
from expected_groups as groups
{% if population %}
left join expected_population
    on {% for qi in quasi_identifiers %}groups.{{ qi | ident }} is not distinct from expected_population.{{ qi | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
{% endif %}
