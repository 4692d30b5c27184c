-- builds: expected_rows
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates)
-- one row: row that takes part, with the labels and the other cells that the release is to show of it
{% from "release/labelled.jinja" import aggregated, label, labelled, shown_classes with context %}
{% macro own(cell) -%}
{% set value = (("recoding_" ~ cell.name) | ident) ~ ".value" if cell.shows == "value" else "records." ~ (cell.name | ident) -%}
{{ "cast(%s as %s)" % (value, cell.cast) if cell.cast else value }}
{%- endmacro %}
select
    {% for cell in cells %}
    {% if cell.shows == "aggregate" %}
    {{ "cast(aggregates._shown_%d as %s)" % (cell.aggregate, cell.cast) if cell.cast else "aggregates._shown_%d" % cell.aggregate }} as _cell_{{ cell.number }},
    {% elif cell.shows == "star" %}
    '*' as _cell_{{ cell.number }},
    {% elif cell.shows == "itself where shown" %}
    case when {{ "shown_classes._is_value_%d and " % cell.leader_number if regional }}{{ label(cell.leader) }} is not distinct from cast({{ ("recoding_" ~ cell.leader) | ident }}.value as varchar) then {{ own(cell) }} else '*' end as _cell_{{ cell.number }},
    {% else %}
    {{ own(cell) }} as _cell_{{ cell.number }},
    {% endif %}
    {% if cell.starred %}
    '*' as _starred_{{ cell.number }},
    {% endif %}
    {% if cell.treatment is not none and cell.treatment.by %}
    records.{{ cell.treatment.by | ident }} as _by_{{ cell.number }},
    {% endif %}
    {% endfor %}
    {% if k_column is not none %}
    records.{{ k_column | ident }} as _k,
    {% endif %}
    {% if entity is not none %}
    records.{{ entity | ident }} as _person,
    {% endif %}
    {% for name in labels %}
    {{ label(name) }} as {{ name | ident }}{{ "," if not loop.last }}
    {% endfor %}
from records
{{ labelled("records") }}
{% set leaders = cells | selectattr("shows", "equalto", "itself where shown") | map(attribute="leader_number") | unique | list %}
{{ shown_classes(leaders) if regional and leaders }}
{{ aggregated() }}
