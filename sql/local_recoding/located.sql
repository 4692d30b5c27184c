-- builds: located
-- reads: cells, passed, nodes
-- one row: distinct set of quasi-identifier values, by its number, with its pass and its released label codes
select
    cells._cell,
    passed._pass,
    {% for attribute in attributes %}
    case nodes._level_{{ attribute.number }}
        {% for level in range(attribute.least, attribute.most + 1) %}
        when {{ level }} then cells.{{ attribute.keys_of[level] | ident }}
        {% endfor %}
    end as _code_{{ attribute.number }}{{ "," if not loop.last }}
    {% endfor %}
from passed
join cells
    on passed._cell = cells._cell
join nodes
    on passed._pass = nodes._visit
