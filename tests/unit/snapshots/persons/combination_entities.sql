-- builds: shared_sets
-- reads: entity_places or value_places_<column>
-- one row: distinct set of quasi-identifier values (and sensitive value), and person with several such sets
select * exclude (_places, _rows)
from "entity_places"
where _places > 1
