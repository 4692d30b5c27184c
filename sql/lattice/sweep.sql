-- builds: sweep
-- reads: packed_levels or rolled_up_<column>, sweep_nodes, sweep_stops
-- one row: node, and the least k of `sweep_stops` that some of its classes fail (null if they fail none): these classes, their rows, the smallest, and for each quasi-identifier the leaves that they lose if they are suppressed
with placed as (
    {% for number, keys in nodes %}
    select
        {{ number }} as _node,
        {% for key in keys %}{{ key | ident }} + {% endfor %}0 as _key,
        _rows
    from {{ relation | ident }}
    {{ "union all" if not loop.last }}
    {% endfor %}
),

classes as (
    select
        _node,
        _key,
        cast(sum(_rows) as bigint) as _rows
    from placed
    group by
        _node,
        _key
)

select
    classes._node,
    stops._k,
    count(*) as _classes,
    cast(sum(classes._rows) as bigint) as _class_rows,
    min(classes._rows) as _smallest,
    {% for attribute in attributes %}
    sum(classes._rows * {{ attribute.gains | literal }}[
        levels.level_{{ loop.index }} * {{ attribute.radix }} + classes._key // {{ attribute.place }} % {{ attribute.radix }} + 1
    ]) as lost_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from classes
inner join sweep_nodes as levels on classes._node = levels._node
left join sweep_stops as stops on classes._rows = stops._rows
group by
    classes._node,
    stops._k
