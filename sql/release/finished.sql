-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, ranges_<column>, class_results, aggregates, region_assignments, regions)
-- one row: row to be released, with treated direct identifiers, and with numbers or dates instead of the labels of ranges
{% from "release/treatments.jinja" import treated %}
{% set labels = quasi_identifiers | map("ident") | list %}
select
    {% for cell in cells %}
    {% set by = cell.treatment.by | ident if cell.treatment and cell.treatment.by else "" %}
    {{ treated(cell.treatment, cell.value, "recoded." ~ by, labels) if cell.treatment else cell.value }} as {{ cell.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from (
{{ recoded }}
) as recoded
{% for column in ranges %}
left join {{ column.relation | ident }}
    on recoded.{{ column.name | ident }} is not distinct from {{ column.relation | ident }}.label
{% endfor %}
