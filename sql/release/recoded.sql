-- builds: recoded
-- reads: records, recoding_<column> (perhaps placements, regions, verdicts, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding, or masked if its class fails
{% from "dataset/lookups.jinja" import joins_by_value %}
{% from "release/cells.jinja" import cell, masked_cell with context %}
{% from "release/labelled.jinja" import aggregated, labelled, same_codes with context %}
{% set leaders = columns | selectattr("shows", "equalto", "itself where shown") | map(attribute="leader_number") | unique | list if regional else [] %}
{% set texts = columns | selectattr("coded", "equalto", "text") | map(attribute="name") | list %}
{% set shown = columns | rejectattr("coded", "in", ["region", "star"]) | list %}
select
    {% if columns | selectattr("coded", "equalto", "region") | list %}
    placements._region{{ "," if shown }}
    {% endif %}
    {% for column in shown %}
    {{ masked_cell(column) if is_masked else cell(column) }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from {{ labelled("records", leaders) }}
{% if texts %}
{{ joins_by_value("records", "texts", texts) }}
{% endif %}
{% if aggregates %}
{{ aggregated() }}
{% endif %}
{% if is_masked %}
left join (
    select *
    from verdicts
    where _fails
) as masked
    on {{ same_codes("masked") }}
{% elif suppresses %}
where not exists (
    select 1
    from verdicts
    where verdicts._fails
        and {{ "verdicts._class_number = placements._class_number" if regional else same_codes("verdicts") | indent }}
)
{% endif %}
