-- builds: recoded
-- reads: records, recoding_<column>, verdicts (perhaps aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding, or masked if its class fails
{% from "dataset/lookups.jinja" import joins_by_value %}
{% from "release/cells.jinja" import masked_cell with context %}
{% from "release/labelled.jinja" import aggregated, labelled, same_codes with context %}
{% set texts = columns | selectattr("coded", "equalto", "text") | map(attribute="name") | list %}
select
    {% for column in columns if column.coded != "star" %}
    {{ masked_cell(column) }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from {{ labelled("records") }}
{% if texts %}
{{ joins_by_value("records", "texts", texts) }}
{% endif %}
{% if aggregates %}
{{ aggregated() }}
{% endif %}
left join (
    select *
    from verdicts
    where _fails
) as masked
    on {{ same_codes("masked") }}
