-- builds: recoded
-- reads: records, recoding_<column> (perhaps labels_<column>, texts_<column>, class_results, aggregates, region_assignments, regions)
-- one row: row to be released, with the labels of the recoding
{% from "dataset/lookups.jinja" import by_code, joins %}
with coded as (
{% include "release/recoded.sql" %}
),

shuffled as (
    select *
    from coded
    order by random()
)

select
    {% for name, value in decoded.items() %}
    {{ value }} as {{ name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from {{ by_code("shuffled", "labels", labels, levels=levels) }}
{% if has_regions %}
join regions
    on shuffled._region = regions._region
{% endif %}
{% if texts %}
{{ joins("shuffled", "texts", texts, "code") }}
{% endif %}
