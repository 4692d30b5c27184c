-- builds: swept_labels
-- reads: swept_classes
-- one row: quasi-identifier and label code of the node, with the rows of classes below k under the label
with failing as (
    select
        {% for field in fields %}
        (_key >> {{ field.shift }}) & {{ field.mask }} as code_{{ loop.index }},
        {% endfor %}
        _rows
    from swept_classes
    where _rows < {{ k }}
)

{% for field in fields %}
select
    {{ loop.index0 }} as attribute,
    code_{{ loop.index }} as code,
    cast(sum(_rows) as bigint) as _rows
from failing
group by code
{{ "union all" if not loop.last }}
{% endfor %}
