-- builds: promising
-- reads: nodes, remaining
-- one row: node with a class of remaining rows that is large enough; a class with population rows only counts as one row
{% from "local_recoding/code_at_node.jinja" import code_at_node %}
with placed as (
    select
        nodes._visit,
        {% for attribute in attributes %}
        {{ code_at_node(attribute, "remaining") | indent(8) }} as code_{{ attribute.number }},
        {% endfor %}
        remaining._rows
    from nodes
    cross join remaining
)

select distinct _visit
from (
    select _visit
    from placed
    group by
        _visit{% for attribute in attributes %}, code_{{ attribute.number }}{% endfor +%}
    having greatest(sum(_rows), 1) >= {{ least_rows }}
) as classes
