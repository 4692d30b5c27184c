-- builds: sensitive_entities_<column>
-- reads: value_places_<column>
-- one row: distinct set of quasi-identifier values, sensitive value, and person who has the value in several sets
select * exclude (_places)
from {{ ("value_places_" ~ column) | ident }}
where _places > 1
