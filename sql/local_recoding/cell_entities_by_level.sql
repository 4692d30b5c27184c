-- builds: cell_entities
-- reads: combination_entities, cells
-- one row: distinct set of quasi-identifier values, by its number, and person with several such sets
{% from "privacy/persons.jinja" import people %}
select
    cells._cell,
    {{ people(persons, "entities._entity") | indent }}
from combination_entities as entities
join cells
    on {% for attribute in attributes %}entities.{{ attribute.key | ident }} = cells.{{ attribute.key | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
