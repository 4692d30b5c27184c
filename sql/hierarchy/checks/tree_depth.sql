-- builds: tree_depth
-- reads: listed_<column>
-- one row: the tree: its height from the parents that are not children, and its nodes without a path from one, which form a cycle
with recursive edges as (
    select distinct
        cast({{ cells[0] | ident }} as varchar) as child,
        cast({{ cells[1] | ident }} as varchar) as parent
    from {{ ("listed_" ~ column) | ident }}
    where {{ cells[0] | ident }} is not null and {{ cells[1] | ident }} is not null
),

depths as (
    select distinct
        parent as node,
        0 as depth
    from edges
    where parent not in (select child from edges)
    union all
    select
        edges.child,
        depths.depth + 1
    from depths
    join edges on edges.parent = depths.node
    where depths.depth <= {{ most }}
)

select
    (select coalesce(max(depth), 0) from depths) as height,
    list(distinct child order by child) filter (where child not in (select node from depths)) as unrooted
from edges
