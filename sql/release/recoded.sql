-- builds: recoded
-- reads: records, recoding_<column> (perhaps region_assignments, regions, class_results, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding, or masked if its class fails
{% from "dataset/lookups.jinja" import joins_by_value %}
{% from "release/cells.jinja" import cell with context %}
{% from "release/labelled.jinja" import aggregated, in_class, labelled, same_codes with context %}
{% set leaders = columns | selectattr("follows") | map(attribute="leader_number") | unique | list if regional else [] %}
{% set texts = columns | selectattr("by_text") | map(attribute="name") | list %}
{% set shown = columns | selectattr("is_selected") | list %}
select
    {% if columns | selectattr("by_region") | list %}
    region_assignments._region{{ "," if shown }}
    {% endif %}
    {% for column in shown %}
    {{ cell(column, is_masked) }} as {{ column.name | ident }}{{ "," if not loop.last }}
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
    from class_results
    where _fails
) as masked
    on {{ same_codes("masked") }}
{% elif suppresses %}
where not exists (
    select 1
    from class_results
    where class_results._fails
        and {{ in_class("class_results") | indent }}
)
{% endif %}
