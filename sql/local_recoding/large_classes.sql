-- builds: large_classes
-- reads: nodes, remaining
-- one row: node and class of remaining rows that is large enough, with its sets of quasi-identifier values
with placed as (
    select
        nodes._visit,
        {% for attribute in attributes %}
        case nodes._level_{{ attribute.number }}
            {% for level in range(attribute.least, attribute.most + 1) %}
            when {{ level }} then remaining.{{ attribute.keys_of[level] | ident }}
            {% endfor %}
        end{{ " as _key," if loop.last else " +" }}
        {% endfor %}
        remaining._cell,
        remaining._rows
    from nodes
    cross join remaining
)

select
    _visit,
    list(_cell) as _cells
from placed
group by
    _visit,
    _key
having sum(_rows) >= {{ least_rows }}
