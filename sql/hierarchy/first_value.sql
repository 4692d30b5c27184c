-- builds: first_value
-- reads: lookup_<column>
-- one row: the value that stands first
select value
from {{ ("lookup_" ~ column) | ident }}
limit 1
