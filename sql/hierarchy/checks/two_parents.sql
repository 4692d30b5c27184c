-- builds: two_parents
-- reads: listed_<column>
-- one row: node of the tree with more than one parent
select
    cast({{ cells[0] | ident }} as varchar) as child,
    cast(min({{ cells[1] | ident }}) as varchar) as one,
    cast(max({{ cells[1] | ident }}) as varchar) as other
from {{ ("listed_" ~ column) | ident }}
where {{ cells[0] | ident }} is not null
group by {{ cells[0] | ident }}
having count(distinct {{ cells[1] | ident }}) > 1
order by child
