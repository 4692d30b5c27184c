-- builds: label_lengths
-- reads: listed_<column>
-- one row: the order: for each level, the number of characters of the values in its longest group
{% from "hierarchy/parts.jinja" import parts %}
with positions as (
    select
        cell_1 as text,
        cell_0 as position
    from {{ ("listed_" ~ column) | ident }}
),

{{ parts(grid, "positions", once=true) | trim }}
{% for cycle in grid %}

lengths_{{ loop.index }} as (
    select sum(length(text) + 2) as characters
    from parts_{{ grid | length }}
    group by part_{{ loop.index }}
){{ "," if not loop.last }}
{% endfor %}

select
    {% for cycle in grid %}
    (select coalesce(max(characters), 0) from lengths_{{ loop.index }}) as level_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
