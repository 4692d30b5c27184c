-- builds: recoded
-- reads: records, recoding_<column> (perhaps verdicts, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding
{% from "dataset/lookups.jinja" import joins_by_value %}
{% from "release/cells.jinja" import cell with context %}
{% from "release/labelled.jinja" import aggregated, labelled, same_codes with context %}
{% set texts = columns | selectattr("coded", "equalto", "text") | map(attribute="name") | list %}
select
    {% for column in columns if column.coded != "star" %}
    {{ cell(column) }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from {{ labelled("records") }}
{% if texts %}
{{ joins_by_value("records", "texts", texts) }}
{% endif %}
{% if aggregates %}
{{ aggregated() }}
{% endif %}
{% if suppresses %}
where not exists (
    select 1
    from verdicts
    where verdicts._fails
        and {{ same_codes("verdicts") | indent }}
)
{% endif %}
