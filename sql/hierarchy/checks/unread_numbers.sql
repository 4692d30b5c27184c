-- builds: unread_numbers
-- reads: lookup_<column>
-- one row: value listed for a column of numbers that reads as none
select value
from {{ ("lookup_" ~ column) | ident }}
where value is not null and try_cast(value as double) is null
order by length(value) desc, value
