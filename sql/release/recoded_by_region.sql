-- builds: recoded
-- reads: records, recoding_<column>, placements, regions (perhaps verdicts, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding
{% from "dataset/lookups.jinja" import joins_by_value %}
{% from "release/cells.jinja" import cell with context %}
{% from "release/labelled.jinja" import aggregated, labelled with context %}
{% set leaders = columns | selectattr("shows", "equalto", "itself where shown") | map(attribute="leader_number") | unique | list %}
{% set texts = columns | selectattr("coded", "equalto", "text") | map(attribute="name") | list %}
{% set shown = columns | rejectattr("coded", "in", ["region", "star"]) | list %}
select
    {% if columns | selectattr("coded", "equalto", "region") | list %}
    placements._region{{ "," if shown }}
    {% endif %}
    {% for column in shown %}
    {{ cell(column) }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from {{ labelled("records", leaders) }}
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
        and verdicts._class_number = placements._class_number
)
{% endif %}
