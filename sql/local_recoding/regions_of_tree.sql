-- builds: regions
-- reads: saved_partitions (perhaps ordered_codes_<column>, tree_nodes_<column>)
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
{% from "mondrian/place.jinja" import is_placed, last_positions, place %}
{# the region's first and last position in a column with an order, and the rows between them #}
{% macro between_ends(attribute, positions, label) -%}
select
    reached._region,
    {{ attribute.number }} as _attribute,
    reached._low,
    reached._high,
    top._cumulative_rows - bottom._cumulative_rows + bottom._rows as _under
from (
    select
        kept._partition as _region,
        case
            when {{ label }} = '*' then 0
            when not ({{ is_placed(attribute, "kept._first") }}) then single.position
            when {{ label }} = '<= ' || kept._to then 0
            else coalesce(before.position + 1, 0)
        end as _low,
        case
            when {{ label }} = '*' then 2147483647
            when not ({{ is_placed(attribute, "kept._first") }}) then single.position
            when {{ label }} = '>= ' || kept._from then {{ attribute.placed - 1 }}
            else coalesce(upto.position, -1)
        end as _high
    from (
        select
            _partition,
            {{ attribute.name | ident }},
            _from_{{ attribute.number }} as _from,
            _to_{{ attribute.number }} as _to,
            {{ place(attribute, "_from_%d" % attribute.number) }} as _first,
            {{ place(attribute, "_to_%d" % attribute.number) }} as _last
        from saved_partitions
        where _is_region
    ) as kept
    left join {{ positions }} as single
        on not single.is_placed
        and kept._from is not distinct from single.label
    asof left join {{ last_positions(positions) | indent }} as before
        on kept._first > before.place
    asof left join {{ last_positions(positions) | indent }} as upto
        on kept._last >= upto.place
) as reached
left join {{ positions }} as bottom
    on reached._low = bottom.position
left join {{ positions }} as top
    on least(reached._high, {{ attribute.positions - 1 }}) = top.position
{%- endmacro %}
{# the same in a column with a hierarchy #}
{% macro under_label(attribute, branches, label) -%}
select distinct
    kept._partition as _region,
    {{ attribute.number }} as _attribute,
    coalesce(branches.low, 1) as _low,
    coalesce(branches.high, 0) as _high,
    branches._rows as _under
from saved_partitions as kept
left join {{ branches }} as branches
    on kept._level_{{ attribute.number }} = branches.level
    and {{ label }} is not distinct from branches.label
where kept._is_region
{%- endmacro %}
with reached as (
    {% for attribute in attributes %}
    {% set label = "kept." ~ (attribute.name | ident) %}
    {{ (between_ends(attribute, ("ordered_codes_" ~ attribute.name) | ident, label) if attribute.is_ordered else under_label(attribute, ("tree_nodes_" ~ attribute.name) | ident, label)) | indent }}
    {{ "union all" if not loop.last }}
    {% endfor %}
),

ends as (
    select
        _region,
        {% for attribute in attributes %}
        max(case when _attribute = {{ attribute.number }} then _low end) as _low_{{ attribute.number }},
        max(case when _attribute = {{ attribute.number }} then _high end) as _high_{{ attribute.number }},
        max(case when _attribute = {{ attribute.number }} then _under end) as _label_rows_{{ attribute.number }}{{ "," if not loop.last }}
        {% endfor %}
    from reached
    group by _region
)

select
    ends.*,
    {% for attribute in attributes %}
    {% set number = attribute.number %}
    {{ [attribute.name] | idents("saved_partitions") }},
    {{ "saved_partitions._from_%d,\n    saved_partitions._to_%d" % (number, number) if attribute.is_ordered else "saved_partitions._level_%d" % number }},
    saved_partitions._is_value_{{ number }},
    saved_partitions._loss_{{ number }},
    saved_partitions._leaf_loss_{{ number }},
    {% endfor %}
    dense_rank() over (order by {{ attributes | map(attribute="name") | idents("saved_partitions") }}) as _class_number
from saved_partitions
join ends
    on saved_partitions._partition = ends._region
