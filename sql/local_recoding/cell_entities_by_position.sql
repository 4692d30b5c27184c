-- builds: cell_entities
-- reads: combination_entities, cells, positions_<column>
-- one row: distinct set of quasi-identifier values, by its number, and person with several such sets
{% from "privacy/persons.jinja" import people %}
select
    cells._cell,
    {{ people(persons, "entities._entity") | indent }}
from combination_entities as entities
{% for attribute in attributes %}
join {{ ("positions_" ~ attribute.name) | ident }}
    on entities.{{ attribute.key | ident }} = {{ ("positions_" ~ attribute.name) | ident }}.code
{% endfor %}
join cells
    on {% for attribute in attributes %}{{ ("positions_" ~ attribute.name) | ident }}.position = cells.{{ attribute.name | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
