-- builds: unrooted_nodes
-- reads: listed_<column>
-- one row: node of the tree without a path to a root, because it is part of a cycle
with recursive edges as (
    select distinct
        cast({{ cells[0] | ident }} as varchar) as child,
        cast({{ cells[1] | ident }} as varchar) as parent
    from {{ ("listed_" ~ column) | ident }}
    where {{ cells[0] | ident }} is not null and {{ cells[1] | ident }} is not null
),

rooted as (
    select parent as node
    from edges
    where parent not in (select child from edges)
    union
    select edges.child
    from rooted
    join edges on edges.parent = rooted.node
)

select distinct child
from edges
where child not in (select node from rooted)
order by child
