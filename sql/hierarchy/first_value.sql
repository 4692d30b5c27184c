-- builds: first_value
-- reads: lookup_<column>
-- one row: the first value
select value
from {{ ("lookup_" ~ column) | ident }}
limit 1
