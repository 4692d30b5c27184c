-- builds: empty_groups
-- reads: listed_<column>
-- one row: group without members
select
    cell_0 as level,
    cell_1 as label
from {{ ("listed_" ~ column) | ident }}
where cell_2 is null
order by level, label
