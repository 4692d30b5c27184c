-- builds: located
-- reads: cells, passed, nodes
-- one row: distinct set of quasi-identifier values, by its number, with its pass and its released label codes
{% from "local_recoding/places.jinja" import code_at_node %}
select
    cells._cell,
    passed._pass,
    {% for attribute in attributes %}
    {{ code_at_node(attribute, "cells") | indent }} as _code_{{ attribute.number }}{{ "," if not loop.last }}
    {% endfor %}
from passed
join cells
    on passed._cell = cells._cell
join nodes
    on passed._pass = nodes._visit
