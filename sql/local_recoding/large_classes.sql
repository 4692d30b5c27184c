-- builds: large_classes
-- reads: nodes, remaining
-- one row: node and class of remaining rows that is large enough, with its sets of quasi-identifier values
{% from "local_recoding/code_at_node.jinja" import code_at_node %}
with placed as (
    select
        nodes._visit,
        {% for attribute in attributes %}
        {{ code_at_node(attribute, "remaining") | indent(8) }}{{ " as _key," if loop.last else " +" }}
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
