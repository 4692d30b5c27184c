-- builds: isolated_<column>
-- reads: possible_values
-- one row: person, as text, for whom too few sensitive values remain possible
select cast(_entity as varchar) as {{ entity | ident }}
from possible_values
where _fails
