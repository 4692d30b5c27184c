-- builds: expected_histogram_<column>
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates, ranges_<column>)
-- one row: set of labels that the recoding gives to the source, and sensitive value, with its rows, or the persons who have it
{% from "release/labelled.jinja" import labelled, listed_labels, written_alike with context %}
{% set value, person = "records." ~ (column | ident), "records." ~ (entity | ident) %}
select
    {{ listed_labels(labels, true) }},
    {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % (value, floating, floating) if floating else "cast(%s as varchar)" % value }} as _value,
    count(distinct {{ person }}) + max(case when {{ person }} is null then 1 else 0 end) as _value_rows,
    cast(count(*) as bigint) as _file_rows
from {{ labelled("records") }}
{{ written_alike() }}
group by
    {{ listed_labels(labels) }},
    {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % (value, floating, floating) if floating else "cast(%s as varchar)" % value }}
{% if known_value is not none %}
union all
-- the persons with any value that is not missing
select
    {{ listed_labels(labels, true) }},
    {{ known_value | literal }} as _value,
    count(distinct {{ person }}) + max(case when {{ person }} is null then 1 else 0 end) as _value_rows,
    0 as _file_rows
from {{ labelled("records") }}
{{ written_alike() }}
where {{ value }} is not null
group by
    {{ listed_labels(labels) }}
{% endif %}
