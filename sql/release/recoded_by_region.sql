-- builds: recoded
-- reads: records, recoding_<column>, placements, regions (perhaps verdicts, aggregates, texts_<column>)
-- one row: row to be released, with the labels of the recoding
{% from "release/labelled.jinja" import shown_classes with context %}
{% set leaders = columns | selectattr("shows", "equalto", "itself where shown") | map(attribute="leader_number") | unique | list %}
select
    {% if columns | selectattr("coded", "equalto", "region") | list %}
    placements._region{{ "," if columns | rejectattr("coded", "in", ["region", "star"]) | list }}
    {% endif %}
    {% for column in columns if column.coded not in ["region", "star"] %}
    {% set cell = "cast(records.%s as %s)" % (column.name | ident, column.cast) if column.cast else "records." ~ (column.name | ident) %}
    {% if column.coded == "text" %}
    {{ ("texts_" ~ column.name) | ident }}.code as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "label" %}
    regions.{{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "aggregate" %}
    {{ "cast(aggregates._shown_%d as %s)" % (column.number, column.cast) if column.cast else "aggregates._shown_%d" % column.number }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "star" %}
    '*' as {{ column.name | ident }}{{ "," if not loop.last }}
    {% elif column.shows == "itself where shown" %}
    case when not shown_classes._is_value_{{ column.leader_number }} or regions.{{ column.leader | ident }} is distinct from cast({{ ("recoding_" ~ column.leader) | ident }}.value as varchar) then '*' else {{ cell }} end as {{ column.name | ident }}{{ "," if not loop.last }}
    {% else %}
    {{ cell }} as {{ column.name | ident }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from records
{% for qi in quasi_identifiers %}
join {{ ("recoding_" ~ qi) | ident }}
    on records.{{ qi | ident }} is not distinct from {{ ("recoding_" ~ qi) | ident }}.value
{% endfor %}
join placements
    on {% for qi in quasi_identifiers %}{{ ("recoding_" ~ qi) | ident }}.code = placements.{{ qi | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
join regions
    on placements._region = regions._region
{{ shown_classes(leaders) if leaders }}
{% for column in columns if column.coded == "text" %}
join {{ ("texts_" ~ column.name) | ident }}
    on records.{{ column.name | ident }} is not distinct from {{ ("texts_" ~ column.name) | ident }}.value
{% endfor %}
{% if aggregates %}
join aggregates
    on placements._class_number = aggregates._class_number
{% endif %}
{% if suppresses %}
where not exists (
    select 1
    from verdicts
    where verdicts._fails
        and verdicts._class_number = placements._class_number
)
{% endif %}
