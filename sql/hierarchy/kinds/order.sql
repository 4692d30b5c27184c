-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: value: on each level its group of adjacent values, with the number of the group
{% from "dataset/numbers.jinja" import order_of %}
{% from "hierarchy/parts.jinja" import parts %}
{% set placed = "parts_%d" % (grid | length) if grid else "positions" %}
with positions as (
    select
        cell_1 as text,
        cell_0 as position,
        {{ sorted_by or order_of("cell_1") }} as sort_key
    from {{ ("listed_" ~ column) | ident }}
),

{{ parts(grid, "positions", once=true) | trim }}
{% for label in labels %}

labels_{{ loop.index }} as (
    select
        part_{{ loop.index }},
        {{ label }} as label
    from {{ placed }}
    group by part_{{ loop.index }}
),
{% endfor %}

final as (
    select
        text as value,
        text as level_0,
        {% for label in labels %}
        labels_{{ loop.index }}.label as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ grid | length + 1 }}{{ "," if grid }}
        {% for label in labels %}
        part_{{ loop.index }} as group_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ placed }}
    {% for label in labels %}
    join labels_{{ loop.index }} using (part_{{ loop.index }})
    {% endfor %}
    order by position
)

select * from final
