-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, verdicts, aggregates, placements, regions)
-- one row: row to be released, with the labels of the recoding
{% from "dataset/lookups.jinja" import joins_by_code %}
{% from "release/cells.jinja" import decoded with context %}
{% set texts = columns | selectattr("coded", "equalto", "text") | map(attribute="name") | list %}
with coded as (
{% include recoded_template %}
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
from shuffled
{% for column in columns if column.coded == "label" %}
join {{ ("labels_" ~ column.name) | ident }}
    on {{ ("labels_" ~ column.name) | ident }}.level = {{ levels[column.name] }}
    and {{ ("labels_" ~ column.name) | ident }}.code = shuffled.{{ column.name | ident }}
{% endfor %}
{% if columns | selectattr("coded", "equalto", "region") | list %}
join regions
    on shuffled._region = regions._region
{% endif %}
{% if texts %}
{{ joins_by_code("shuffled", "texts", texts) }}
{% endif %}
