-- builds: expected_value_groups_<column>
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, ranges_<column>)
-- one row: set of labels that the recoding gives to the source, and sensitive value as written there, with its rows
{% from "release/labelled.jinja" import labelled, listed_labels, written_alike with context %}
select
    {{ listed_labels(labels, true) }},
    records.{{ column | ident }} as _value,
    cast(count(*) as bigint) as _value_rows
from {{ labelled("records") }}
{{ written_alike() }}
group by
    {{ listed_labels(labels) }},
    records.{{ column | ident }}
