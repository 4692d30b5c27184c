-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: leaf of the tree: the value, and its ancestor on each level; a short branch repeats its leaf on the lowest levels
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
),

paths as (
    select
        node as value,
        node as label,
        2 - depth as level
    from depths
    where node not in (select parent from edges)
    union all
    select
        paths.value,
        edges.parent,
        paths.level + 1
    from paths
    join edges on edges.child = paths.label
),

final as (
    select
        value as value,
        value as level_0,
        coalesce(max(case when level = 1 then label end), value) as level_1,
        coalesce(max(case when level = 2 then label end), value) as level_2
    from paths
    group by paths.value
)

select * from final
order by value
