-- builds: node_labels
-- reads: packed_combinations or packed_sensitive_<column> (perhaps distribution_<column>, entropy_comparisons)
-- one row: node of one statement, quasi-identifier and label code, with the rows of failing classes under the label
with {% include "lattice/nodes.jinja" %},

failing as (
    select
        _node,
        {% for attribute in attributes %}
        _key // {{ 2 ** attribute.shift }} % {{ attribute.mask + 1 }} as {{ attribute.name | ident }},
        {% endfor %}
        _rows
    from class_results
    where _fails
)

select
    _node,
    case
        {% for attribute in attributes %}
        when grouping({{ attribute.name | ident }}) = 0 then {{ loop.index0 }}
        {% endfor %}
    end as attribute,
    coalesce({% for attribute in attributes %}{{ attribute.name | ident }}{{ ", " if not loop.last }}{% endfor %}) as code,
    cast(sum(_rows) as bigint) as _rows
from failing
group by grouping sets (
    {%- for attribute in attributes %}(_node, {{ attribute.name | ident }}){{ ", " if not loop.last }}{% endfor -%}
)
