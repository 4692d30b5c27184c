-- builds: partitions
-- reads: saved_partitions (perhaps ordered_codes_<column>, tree_nodes_<column>)
-- one row: Mondrian partition: its parent, the attribute and the place of the cut, with its rows
{% from "mondrian/place.jinja" import last_positions, place %}
select
    _partition,
    _parent,
    _round,
    _attribute,
    _cut,
    _value,
    _level,
    cast(null as integer) as _low,
    cast(null as integer) as _high,
    cast(null as boolean) as _is_rest,
    cast(null as bigint) as _rows
from saved_partitions
where _parent is null
{% for attribute in attributes %}
{% set positions = ("ordered_codes_" ~ attribute.name) | ident %}
union all
select
    saved._partition,
    saved._parent,
    saved._round,
    saved._attribute,
    saved._cut,
    saved._value,
    saved._level,
    {% if attribute.is_ordered %}
    case saved._cut
        when '>' then coalesce(upto.position + 1, 0)
        when '>=' then coalesce(before.position + 1, 0)
        when 'is missing' then {{ attribute.placed }}
        else 0
    end as _low,
    case saved._cut
        when '<=' then coalesce(upto.position, -1)
        when '<' then coalesce(before.position, -1)
        when 'is not missing' then {{ attribute.placed - 1 }}
        else 2147483647
    end as _high,
    false as _is_rest,
    {% else %}
    coalesce(branches.low, 1) as _low,
    coalesce(branches.high, 0) as _high,
    saved._cut = 'is not' as _is_rest,
    {% endif %}
    cast(null as bigint) as _rows
{% if attribute.is_ordered %}
from (
    select
        *,
        {{ place(attribute, "_value") }} as _cut_place
    from saved_partitions
    where _attribute = {{ attribute.name | literal }}
) as saved
asof left join {{ last_positions(positions) }} as upto
    on saved._cut_place >= upto.place
asof left join {{ last_positions(positions) }} as before
    on saved._cut_place > before.place
{% else %}
from saved_partitions as saved
left join (
    select distinct
        level,
        label,
        low,
        high
    from {{ ("tree_nodes_" ~ attribute.name) | ident }}
) as branches
    on saved._level = branches.level
    and saved._value is not distinct from branches.label
where saved._attribute = {{ attribute.name | literal }}
{% endif %}
{% endfor %}
