-- builds: repeated_values
-- reads: lookup_<column>
-- one row: value that is listed more than once
select
    value,
    count(*) as lines
from {{ ("lookup_" ~ column) | ident }}
group by value
having count(*) > 1
order by value
