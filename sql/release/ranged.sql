-- builds: recoded
-- reads: records, recoding_<column>, ranges_<column> (perhaps labels_<column>, texts_<column>, class_results, aggregates, region_assignments, regions)
-- one row: row to be released, with numbers or dates instead of the labels of ranges
select
    {% for cell in cells %}
    {{ cell.relation | ident }}.{{ cell.value | ident }} as {{ cell.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from (
{{ recoded }}
) as recoded
{% for column in ranges %}
left join {{ column.relation | ident }}
    on recoded.{{ column.name | ident }} is not distinct from {{ column.relation | ident }}.label
{% endfor %}
