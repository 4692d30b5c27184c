-- builds: shared_sets
-- reads: entity_places or value_places_<column>
-- one row: distinct set of quasi-identifier values (and sensitive value), and person with several such sets
select * exclude ({{ left_out }})
from {{ relation | ident }}
where _places > 1
