-- builds: failing_labels
-- reads: combinations or packed_combinations or packed_sensitive_<column> or swept_classes (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: node of the statement, by its number, quasi-identifier and label code, with the rows of failing classes under the label
with {% if nodes %}{% include "lattice/nodes.jinja" %}{% else %}{% include "privacy/class_results.jinja" %}{% endif %},

failing as (
    select
        {{ "_node" if nodes else "0 as _node" }},
        {% for name, code in labels.items() %}
        {{ code }} as {{ name }},
        {% endfor %}
        _rows
    from class_results
    where _fails
)

select
    _node,
    case
        {% for name in labels %}
        when grouping({{ name }}) = 0 then {{ loop.index0 }}
        {% endfor %}
    end as attribute,
    coalesce({{ labels | join(", ") }}) as code,
    cast(sum(_rows) as bigint) as _rows
from failing
group by grouping sets (
    (_node, {{ labels | join("), (_node, ") }})
)
