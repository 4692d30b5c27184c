-- builds: expected_histogram_<column>
-- reads: records, recoding_<column> (perhaps placements, regions, aggregates)
-- one row: set of labels that the source gives through the recoding, and sensitive value, with its rows
{% from "release/labelled.jinja" import aggregated, label, labelled with context %}
select
    {% for qi in quasi_identifiers %}
    {{ label(qi) }} as {{ qi | ident }},
    {% endfor %}
    {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % ("records." ~ (column | ident), floating, floating) if floating else "cast(%s as varchar)" % ("records." ~ (column | ident)) }} as _value,
    cast(count(*) as bigint) as _value_rows
from records
{{ labelled("records") }}
{{ aggregated() }}
group by
    {% for qi in quasi_identifiers %}
    {{ label(qi) }},
    {% endfor %}
    {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % ("records." ~ (column | ident), floating, floating) if floating else "cast(%s as varchar)" % ("records." ~ (column | ident)) }}
