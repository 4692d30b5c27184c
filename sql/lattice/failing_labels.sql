-- builds: failing_labels
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: quasi-identifier and label code of a node, with the rows of failing classes under the label
with {% include "privacy/verdicts.jinja" +%}

select
    case
        {% for key in keys %}
        when grouping({{ key | ident }}) = 0 then {{ loop.index0 }}
        {% endfor %}
    end as attribute,
    coalesce({% for key in keys %}{{ key | ident }}{{ ", " if not loop.last }}{% endfor %}) as code,
    cast(sum(_rows) as bigint) as _rows
from verdicts
where _fails
group by grouping sets (
    {%- for key in keys %}({{ key | ident }}){{ ", " if not loop.last }}{% endfor -%}
)
