-- builds: expected_value_groups_<column>
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates)
-- one row: set of labels that the source gives through the recoding, and sensitive value as it stands there, with its rows
{% from "release/labelled.jinja" import aggregated, labelled, listed_labels with context %}
select
    {{ listed_labels(labels, true) }},
    records.{{ column | ident }} as _value,
    cast(count(*) as bigint) as _value_rows
from records
{{ labelled("records") }}
{{ aggregated() }}
group by
    {{ listed_labels(labels) }},
    records.{{ column | ident }}
