-- builds: known_classes
-- reads: records, recoding_<column> (perhaps class_results, region_assignments, regions)
-- one row: class of the labels and of the retained columns that an adversary may know (and person, if persons are counted), with its records
{% from "privacy/persons.jinja" import person %}
{% from "release/treatments.jinja" import alike %}
{% macro shown(column) -%}
{{ alike(column.treatment) if column.treatment else "cast(%s as varchar)" % (column.name | ident) if column.is_nested else column.name | ident }}
{%- endmacro %}
with recoded as (
    {{ recoded | indent }}
)

select
    {{ names | idents }},
    {% for column in retained %}
    {{ shown(column) }} as {{ column.name | ident }},
    {% endfor %}
    {% for name in entities %}
    {{ name | ident }} as {{ person(loop.index) }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from recoded
group by all
