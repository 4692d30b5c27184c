-- builds: inner_parents
-- reads: listed_<column>
-- one row: parent in a two-column file that is also a child, if there are several parents
with edges as (
    select distinct
        cast({{ cells[0] | ident }} as varchar) as child,
        cast({{ cells[1] | ident }} as varchar) as parent
    from {{ ("listed_" ~ column) | ident }}
)

select distinct parent
from edges
where parent in (select child from edges)
    and (select count(distinct parent) from edges) > 1
order by parent
