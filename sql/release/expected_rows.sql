-- builds: expected_rows
-- reads: records, recoding_<column> (perhaps region_assignments, regions, aggregates, ranges_<column>)
-- one row: row that takes part, with the labels and the other cells that the release must show for it, and its sensitive values
{% from "privacy/persons.jinja" import named_people %}
{% from "release/labelled.jinja" import labelled, listed_labels, written_alike with context %}
select{{ named_people(entities) }}
    {% for name, value in cells.items() %}
    {{ value }} as {{ name }},
    {% endfor %}
    {% for name in sensitive %}
    records.{{ name | ident }} as _value_{{ loop.index }},
    {% endfor %}
    {{ listed_labels(labels, true) }}{{ ",\n    records.%s as _k" % (k_column | ident) if k_column is not none }}
from {{ labelled("records", leaders) }}
{{ written_alike() }}
