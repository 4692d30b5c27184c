-- builds: failing_labels
-- reads: combinations (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: quasi-identifier and label code of a node, with the rows of failing classes under the label
with {% include "privacy/class_results.jinja" +%}

select
    case
        {% for key in keys %}
        when grouping({{ key | ident }}) = 0 then {{ loop.index0 }}
        {% endfor %}
    end as attribute,
    coalesce({% for key in keys %}{{ key | ident }}{{ ", " if not loop.last }}{% endfor %}) as code,
    cast(sum(_rows) as bigint) as _rows
from class_results
where _fails
group by grouping sets (
    {%- for key in keys %}({{ key | ident }}){{ ", " if not loop.last }}{% endfor -%}
)
