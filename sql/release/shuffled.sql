-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, class_results, aggregates, region_assignments, regions)
-- one row: row to be released, with the labels of the recoding
{% from "dataset/lookups.jinja" import by_code, joins_by_code %}
{% from "release/cells.jinja" import decoded with context %}
{% set labelled = columns | selectattr("by_label") | map(attribute="name") | list %}
{% set texts = columns | selectattr("by_text") | map(attribute="name") | list %}
with coded as (
{% include "release/recoded.sql" %}
),

shuffled as (
    select *
    from coded
    order by random()
)

select
    {% for column in columns %}
    {{ decoded(column) }}{{ "," if not loop.last }}
    {% endfor %}
from {{ by_code("shuffled", "labels", labelled, levels=levels) }}
{% if columns | selectattr("by_region") | list %}
join regions
    on shuffled._region = regions._region
{% endif %}
{% if texts %}
{{ joins_by_code("shuffled", "texts", texts) }}
{% endif %}
