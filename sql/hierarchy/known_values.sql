-- builds: known_values
-- reads: lookup_<column>
-- one row: value that the hierarchy covers
select value
from {{ ("lookup_" ~ column) | ident }}
where value is not null
order by value
limit 10000
