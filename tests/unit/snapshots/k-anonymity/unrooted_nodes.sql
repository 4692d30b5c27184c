-- builds: unrooted_nodes
-- reads: listed_<column>
-- one row: node of the tree without a path to a root, because it is part of a cycle
with recursive edges as (
    select distinct
        cast("cell_0" as varchar) as child,
        cast("cell_1" as varchar) as parent
    from "listed_town"
    where "cell_0" is not null and "cell_1" is not null
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
