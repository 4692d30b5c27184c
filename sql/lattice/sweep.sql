-- builds: sweep
-- reads: packed_levels or rolled_up_<column>, sweep_stops
-- one row: node, and the least k of `sweep_stops` that some of its classes fail (null if they fail none): these classes, their rows, the smallest and the largest, the sum of squared rows, and for each quasi-identifier the leaves that they lose if they are suppressed
{% from "lattice/placed.jinja" import placed with context %}
with placed as (
{{ placed(relation, ["_rows"]) -}}
),

classes as (
    select
        _key,
        _key & {{ node_field.mask }} as _node,
        cast(sum(_rows) as bigint) as _rows
    from placed
    group by _key
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
    sum(classes._rows * ((classes._key >> {{ field.shift }}) & {{ field.mask }})) as lost_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from classes
left join sweep_stops as stops on classes._rows = stops._rows
group by all
