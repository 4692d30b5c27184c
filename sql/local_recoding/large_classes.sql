-- builds: large_classes
-- reads: nodes, remaining
-- one row: node with a class of remaining rows that is large enough, or such a class with its sets of quasi-identifier values; a class with population rows only counts as one row
{% from "local_recoding/places.jinja" import code_at_node %}
with placed as (
    select
        nodes._visit,
        {% for attribute in attributes %}
        {{ code_at_node(attribute, "remaining") | indent(8) }}{{ " +" if is_listed and not loop.last else " as _key_%d," % attribute.number }}
        {% endfor %}
        remaining._cell,
        remaining._rows
    from nodes
    cross join remaining
)

select
    {{ "_visit,\n    list(_cell) as _cells" if is_listed else "distinct _visit" }}
from placed
group by
    _visit,
    {{ keys | join(", ") }}
having greatest(sum(_rows), 1) >= {{ least_rows }}
