-- builds: failing_labels
-- reads: combinations (perhaps combination_entities)
-- one row: quasi-identifier and label code of a node, with the rows that failing classes hold under it
with classes as (
{% include "lattice/classes_at.sql" +%}
),

verdicts as (
{% include model_template +%}
)

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
