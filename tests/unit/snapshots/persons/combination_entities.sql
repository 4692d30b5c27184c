-- builds: combination_entities
-- reads: entity_places
-- one row: distinct set of quasi-identifier values and person with several such sets
select * exclude (_places, _rows)
from entity_places
where _places > 1
