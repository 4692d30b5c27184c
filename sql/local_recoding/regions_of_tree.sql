-- builds: regions
-- reads: saved_partitions, positions_<column>, branches_<column>
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
{% from "mondrian/place.jinja" import place, is_placed %}
with kept as (
    select
        *,
        {% for attribute in attributes if attribute.is_ordered %}
        {{ place(attribute, "_from_%d" % attribute.number) }} as _first_{{ attribute.number }},
        {{ place(attribute, "_to_%d" % attribute.number) }} as _last_{{ attribute.number }},
        {% endfor %}
        _partition as _region
    from saved_partitions
    where _is_region
),

reached as (
    select
        kept.*,
        {% for attribute in attributes %}
        {% set number, name = attribute.number, "kept." ~ (attribute.name | ident) %}
        {% if attribute.is_ordered %}
        {% set first, last = "kept._first_%d" % number, "kept._last_%d" % number %}
        case
            when {{ name }} = '*' then 0
            when not ({{ is_placed(attribute, first) }}) then single_{{ number }}.position
            when {{ name }} = '<= ' || kept._to_{{ number }} then 0
            else coalesce(before_{{ number }}.position + 1, 0)
        end as _low_{{ number }},
        case
            when {{ name }} = '*' then 2147483647
            when not ({{ is_placed(attribute, first) }}) then single_{{ number }}.position
            when {{ name }} = '>= ' || kept._from_{{ number }} then {{ attribute.placed - 1 }}
            else coalesce(upto_{{ number }}.position, -1)
        end as _high_{{ number }}{{ "," if not loop.last }}
        {% else %}
        coalesce(branch_{{ number }}.low, 1) as _low_{{ number }},
        coalesce(branch_{{ number }}.high, 0) as _high_{{ number }},
        branch_{{ number }}._rows as _branch_rows_{{ number }}{{ "," if not loop.last }}
        {% endif %}
        {% endfor %}
    from kept
{% for attribute in attributes %}
{% set number, positions = attribute.number, ("positions_" ~ attribute.name) | ident %}
{% if attribute.is_ordered %}
    left join (
        select
            label,
            position
        from {{ positions }}
        where not is_placed
    ) as single_{{ number }}
        on kept._from_{{ number }} is not distinct from single_{{ number }}.label
    asof left join (
        select
            place,
            max(position) as position
        from {{ positions }}
        where is_placed
        group by place
    ) as before_{{ number }}
        on kept._first_{{ number }} > before_{{ number }}.place
    asof left join (
        select
            place,
            max(position) as position
        from {{ positions }}
        where is_placed
        group by place
    ) as upto_{{ number }}
        on kept._last_{{ number }} >= upto_{{ number }}.place
{% else %}
    left join (
        select distinct
            level,
            label,
            low,
            high,
            _rows
        from {{ ("branches_" ~ attribute.name) | ident }}
    ) as branch_{{ number }}
        on kept._level_{{ number }} = branch_{{ number }}.level
        and kept.{{ attribute.name | ident }} is not distinct from branch_{{ number }}.label
{% endif %}
{% endfor %}
),

final as (
    select
        reached._region,
        {% for attribute in attributes %}
        {% set number = attribute.number %}
        reached.{{ attribute.name | ident }},
        {% if attribute.is_ordered %}
        reached._from_{{ number }},
        reached._to_{{ number }},
        {% else %}
        reached._level_{{ number }},
        {% endif %}
        reached._is_value_{{ number }},
        reached._loss_{{ number }},
        reached._leaf_loss_{{ number }},
        reached._low_{{ number }},
        reached._high_{{ number }},
        {{ "top_%d._reach - bottom_%d._reach + bottom_%d._rows" % (number, number, number) if attribute.is_ordered else "reached._branch_rows_%d" % number }} as _under_{{ number }},
        {% endfor %}
        dense_rank() over (order by {% for attribute in attributes %}reached.{{ attribute.name | ident }}{{ ", " if not loop.last }}{% endfor %}) as _class_number
    from reached
{% for attribute in attributes if attribute.is_ordered %}
{% set number, positions = attribute.number, ("positions_" ~ attribute.name) | ident %}
    left join {{ positions }} as bottom_{{ number }}
        on reached._low_{{ number }} = bottom_{{ number }}.position
    left join {{ positions }} as top_{{ number }}
        on least(reached._high_{{ number }}, {{ attribute.positions - 1 }}) = top_{{ number }}.position
{% endfor %}
)

select * from final
