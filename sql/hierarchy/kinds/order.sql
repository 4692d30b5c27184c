-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: value: on each level its group of adjacent values, with the number of the group
{% import "hierarchy/cycles.jinja" as cycles %}
{% from "dataset/numbers.jinja" import order_of %}
{% set by = "try_cast(text as %s), text" % number_type if number_type else "%s, text" % order_of("text") if holds_numbers else "text" %}
{% set placed = "parts_%d" % (grid | length) if grid else "positions" %}
{% macro name_of(level, cycle, name, place) -%}
{% if name is string and number_labels -%}
{{ cycles.numbered(cycle, name, place, "part_%d" % level, 0) }}
{%- elif name is string -%}
{{ name | literal }}
{%- elif name.name == "set" -%}
'{' || string_agg(text, ', ' order by position) || '}'
{%- elif name.name == "prefix" -%}
string_agg(left(text, {{ name.length }}), '-' order by position)
{%- elif name.name == "common-prefix" -%}
{{ cycles.common_prefix("min(text)", "max(text)", "max(length(text))", name.fill) }}
{%- elif name.name == "bounds" -%}
'[' || first(text order by position) || ', ' || last(text order by position) || ']'
{%- else -%}
'[' || first(text order by {{ by }}) || ', ' || last(text order by {{ by }}) || ']'
{%- endif %}
{%- endmacro %}
with positions as (
    select
        cell_1 as text,
        cell_0 as position
    from {{ ("listed_" ~ column) | ident }}
),

{{ cycles.parts(grid, "positions", once=true) | trim }}
{% for cycle in grid %}
{% set level = loop.index %}

labels_{{ level }} as (
    select
        part_{{ level }},
        case {{ cycles.place("part_%d" % level, cycle.size) }}
            {% for name in cycle.names %}
            when {{ loop.index0 }} then {{ name_of(level, cycle, name, loop.index0) }}
            {% endfor %}
        end as label
    from {{ placed }}
    group by part_{{ level }}
),
{% endfor %}

final as (
    select
        text as value,
        text as level_0,
        {% for cycle in grid %}
        labels_{{ loop.index }}.label as level_{{ loop.index }},
        {% endfor %}
        {{ top | literal }} as level_{{ grid | length + 1 }}{{ "," if grid }}
        {% for cycle in grid %}
        part_{{ loop.index }} as group_{{ loop.index }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ placed }}
    {% for cycle in grid %}
    join labels_{{ loop.index }} using (part_{{ loop.index }})
    {% endfor %}
    order by position
)

select * from final
