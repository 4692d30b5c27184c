-- builds: cell_entities
-- reads: combination_entities, cells (perhaps positions_<column>)
-- one row: distinct set of quasi-identifier values, by its number, and person with several such sets
{% from "local_recoding/places.jinja" import in_cells %}
{% from "privacy/persons.jinja" import people %}
select
    cells._cell,
    {{ people(persons, "entities._entity") | indent }}
from {{ in_cells("combination_entities as entities", places) }}
