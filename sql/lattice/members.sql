-- builds: members
-- reads: combination_entities
-- one row: equivalence class of a node, as label codes, and person with records in several sets of quasi-identifier values
{% from "privacy/persons.jinja" import people %}
select distinct
    {{ keys | idents }},
    {{ people(persons) | indent }}
from combination_entities
