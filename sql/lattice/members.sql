-- builds: members
-- reads: combination_entities
-- one row: equivalence class of a node, as label codes, and person with records in several sets of quasi-identifier values
select distinct
    {{ keys | idents }},
    _entity
from combination_entities
