-- builds: sweep
-- reads: packed_levels or rolled_up_<column>, sweep_stops
-- one row: node, and the least k of `sweep_stops` that some of its classes fail (null if they fail none): these classes, their rows, the smallest and the largest, the sum of squared rows, and for each quasi-identifier the leaves that they lose if they are suppressed
with placed as (
    {% for number, keys, tops in nodes %}
    select
        {{ number }} as _node,
        _fixed{% for key in keys %} + {{ key | ident }}{% endfor %} + {{ tops }} as _class,
        _rows
    from {{ relation | ident }}
    {{ "union all" if not loop.last }}
    {% endfor %}
),

classes as (
    select
        _node,
        _class,
        cast(sum(_rows) as bigint) as _rows
    from placed
    group by
        _node,
        _class
)

select
    classes._node,
    stops._k,
    count(*) as _classes,
    cast(sum(classes._rows) as bigint) as _class_rows,
    min(classes._rows) as _smallest,
    max(classes._rows) as _largest,
    sum(cast(classes._rows as hugeint) * classes._rows) as _squares,
    {% for field in fields %}
    sum(classes._rows * ((classes._class >> {{ field.shift }}) & {{ field.mask }})) as lost_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from classes
left join sweep_stops as stops on classes._rows = stops._rows
group by
    classes._node,
    stops._k
