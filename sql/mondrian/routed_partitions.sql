-- builds: partitions
-- reads: frozen_partitions, positions_<column>, branches_<column>
-- one row: Mondrian partition: the one that it was cut from, by which attribute and where, with its rows
{% from "mondrian/place.jinja" import place %}
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
    cast(null as bigint) as _rows
from frozen_partitions
where _parent is null
{% for attribute in attributes %}
{% set positions = ("positions_" ~ attribute.name) | ident %}
union all
select
    frozen._partition,
    frozen._parent,
    frozen._round,
    frozen._attribute,
    frozen._cut,
    frozen._value,
    frozen._level,
    {% if attribute.is_ordered %}
    case frozen._cut
        when '>' then coalesce(upto.position + 1, 0)
        when '>=' then coalesce(before.position + 1, 0)
        when 'is missing' then {{ attribute.placed }}
        else 0
    end as _low,
    case frozen._cut
        when '<=' then coalesce(upto.position, -1)
        when '<' then coalesce(before.position, -1)
        when 'is not missing' then {{ attribute.placed - 1 }}
        else 2147483647
    end as _high,
    {% else %}
    coalesce(branches.low, 1) as _low,
    coalesce(branches.high, 0) as _high,
    {% endif %}
    cast(null as bigint) as _rows
{% if attribute.is_ordered %}
from (
    select
        *,
        {{ place(attribute, "_value") }} as _cut_place
    from frozen_partitions
    where _attribute = {{ attribute.name | literal }}
) as frozen
asof left join (
    select
        place,
        max(position) as position
    from {{ positions }}
    where is_placed
    group by place
) as upto
    on frozen._cut_place >= upto.place
asof left join (
    select
        place,
        max(position) as position
    from {{ positions }}
    where is_placed
    group by place
) as before
    on frozen._cut_place > before.place
{% else %}
from frozen_partitions as frozen
left join (
    select distinct
        level,
        label,
        low,
        high
    from {{ ("branches_" ~ attribute.name) | ident }}
) as branches
    on frozen._level = branches.level
    and frozen._value is not distinct from branches.label
where frozen._attribute = {{ attribute.name | literal }}
{% endif %}
{% endfor %}
