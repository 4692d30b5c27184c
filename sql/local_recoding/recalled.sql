-- builds: passed
-- reads: cells, nodes, saved_cells, labels_<column>
-- one row: distinct set of quasi-identifier values, by its number, and the pass that released it, or for a new set the first pass with a released class for it
{% from "local_recoding/places.jinja" import code_at_node %}
with seen as (
    select
        cells._cell,
        nodes._visit
    from cells
    {% for attribute in attributes %}
    {% set number = attribute.number %}
    join {{ ("labels_" ~ attribute.name) | ident }} as least_{{ number }}
        on least_{{ number }}.level = {{ attribute.least }}
        and least_{{ number }}.code = cells.{{ attribute.key | ident }}
    {% endfor %}
    join saved_cells
        on {% for attribute in attributes %}least_{{ attribute.number }}.label is not distinct from saved_cells.{{ attribute.name | ident }}{{ "\n        and " if not loop.last }}{% endfor %}

    join nodes
        on {% for attribute in attributes %}saved_cells._level_{{ attribute.number }} = nodes._level_{{ attribute.number }}{{ "\n        and " if not loop.last }}{% endfor %}

),

tried as (
    select
        cells._cell,
        nodes.*,
        {% for attribute in attributes %}
        {{ code_at_node(attribute, "cells") | indent(8) }} as _code_{{ attribute.number }}{{ "," if not loop.last }}
        {% endfor %}
    from cells
    cross join nodes
    where cells._cell not in (
        select _cell
        from seen
    )
),

classes as (
    select distinct
        {% for attribute in attributes %}
        _level_{{ attribute.number }},
        _label_{{ attribute.number }}{{ "," if not loop.last }}
        {% endfor %}
    from saved_cells
),

fitting as (
    select
        tried._cell,
        min(tried._visit) as _visit
    from tried
    {% for attribute in attributes %}
    {% set number = attribute.number %}
    join {{ ("labels_" ~ attribute.name) | ident }} as labels_{{ number }}
        on labels_{{ number }}.level = tried._level_{{ number }}
        and labels_{{ number }}.code = tried._code_{{ number }}
    {% endfor %}
    join classes
        on {% for attribute in attributes %}tried._level_{{ attribute.number }} = classes._level_{{ attribute.number }}
        and labels_{{ attribute.number }}.label is not distinct from classes._label_{{ attribute.number }}{{ "\n        and " if not loop.last }}{% endfor %}

    group by tried._cell
)

select
    _cell,
    min(_visit) as _pass
from seen
group by _cell
union all
select
    _cell,
    _visit as _pass
from fitting
