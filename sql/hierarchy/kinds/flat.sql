-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: its text, and the top
select
    text as value,
    text as level_0,
    {{ top | literal }} as level_1
from {{ ("values_" ~ column) | ident }}
where value is not null and not missing
