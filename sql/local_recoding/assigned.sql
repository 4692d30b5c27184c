-- builds: assigned
-- reads: cells, passed, nodes, labels_<column>
-- one row: distinct set of quasi-identifier values, with its pass, its released class, and the loss of its cells
{% from "local_recoding/places.jinja" import code_at_node %}
{# with all keys in one relation, each look-up finds one row in any order of the joins #}
with located as materialized (
    select
        cells.* exclude (_rows),
        passed._pass,
        {% for attribute in attributes %}
        nodes._level_{{ attribute.number }},
        {{ code_at_node(attribute, "cells") | indent(8) }} as _code_{{ attribute.number }},
        {% endfor %}
        cells._rows
    from cells
    join passed
        on cells._cell = passed._cell
    join nodes
        on passed._pass = nodes._visit
)

select
    located.* exclude ({% for attribute in attributes %}_level_{{ attribute.number }}, _code_{{ attribute.number }}{{ ", " if not loop.last }}{% endfor %}),
    min(located._pass) over shown * {{ places }} + min(located._cell) over shown as _place,
    {% for attribute in attributes %}{{ "cast(%s as double) * labels_%d.loss" % (attribute.weight | literal, attribute.number) }}{{ " + " if not loop.last }}{% endfor %} as _cell_loss
from located
{% for attribute in attributes %}
join {{ ("labels_" ~ attribute.name) | ident }} as labels_{{ attribute.number }}
    on labels_{{ attribute.number }}.level = located._level_{{ attribute.number }}
    and labels_{{ attribute.number }}.code = located._code_{{ attribute.number }}
{% endfor %}
window shown as (
    partition by {% for attribute in attributes %}labels_{{ attribute.number }}.label{{ ", " if not loop.last }}{% endfor +%}
)
