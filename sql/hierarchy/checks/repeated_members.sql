-- builds: repeated_members
-- reads: listed_<column>
-- one row: member that occurs more than once in the groups of one level
select
    cell_0 as level,
    cell_2 as member,
    min(cell_1) as one,
    max(cell_1) as other,
    count(*) as times
from {{ ("listed_" ~ column) | ident }}
where cell_2 is not null
group by cell_0, cell_2
having count(*) > 1
order by level, member
