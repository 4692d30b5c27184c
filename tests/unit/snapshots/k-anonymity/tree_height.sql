-- builds: tree_height
-- reads: listed_<column>
-- one row: the tree: its height, from the parents that are not children
with recursive edges as (
    select distinct
        cast("cell_0" as varchar) as child,
        cast("cell_1" as varchar) as parent
    from "listed_town"
    where "cell_0" is not null and "cell_1" is not null
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
    where depths.depth <= 100
)

select coalesce(max(depth), 0) as height
from depths
