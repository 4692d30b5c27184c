-- builds: expected_rows
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, ranges_<column>)
-- one row: row that takes part, with the labels and the other cells that the release must show for it, and its sensitive values
{% from "privacy/persons.jinja" import person %}
{% from "release/cells.jinja" import expected_cells with context %}
{% from "release/labelled.jinja" import labelled, listed_labels, written_alike with context %}
{% set leaders = cells | selectattr("shown.follows") | map(attribute="shown.leader_number") | unique | list %}
select
    {% for cell in cells %}
    {{ expected_cells(cell) }},
    {% endfor %}
    {% if k_column is not none %}
    records.{{ k_column | ident }} as _k,
    {% endif %}
    {% for entity in entities %}
    records.{{ entity | ident }} as {{ person(loop.index) }},
    {% endfor %}
    {% for name in sensitive %}
    records.{{ name | ident }} as _value_{{ loop.index }},
    {% endfor %}
    {{ listed_labels(labels, true) }}
from {{ labelled("records", leaders) }}
{{ written_alike() }}
