-- builds: unread_numbers
-- reads: lookup_<column>
-- one row: value that is listed for a column of numbers but is not a number
select value
from {{ ("lookup_" ~ column) | ident }}
where value is not null and try_cast(value as double) is null
order by length(value) desc, value
