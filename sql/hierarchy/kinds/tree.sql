-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: leaf of the tree: the value, and its ancestor on each level; a short branch repeats its leaf on the lowest levels
{% from "hierarchy/as_printed.jinja" import as_printed %}
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
),

paths as (
    select
        node as value,
        node as label,
        {{ height }} - depth as level
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
        {{ as_printed("value", exact_type, type) }} as value,
        {{ as_printed("value", exact_type, type) }} as level_0,
        {% for level in range(1, height + 1) %}
        coalesce(max(case when level = {{ level }} then label end), {{ as_printed("value", exact_type, type) }}) as level_{{ level }}{{ "," if not loop.last }}
        {% endfor %}
    from paths
    group by paths.value
)

select * from final
order by value
