-- builds: expected_histogram_<column>
-- reads: records, recoding_<column>
-- one row: set of labels that the source gives through the recoding, and sensitive value, with its rows
select
    {% for qi in quasi_identifiers %}
    {{ ("recoding_" ~ qi) | ident }}.label as {{ qi | ident }},
    {% endfor %}
    {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % ("records." ~ (column | ident), floating, floating) if floating else "cast(%s as varchar)" % ("records." ~ (column | ident)) }} as _value,
    cast(count(*) as bigint) as _value_rows
from records
{% for qi in quasi_identifiers %}
join {{ ("recoding_" ~ qi) | ident }}
    on records.{{ qi | ident }} is not distinct from {{ ("recoding_" ~ qi) | ident }}.value
{% endfor %}
group by
    {% for qi in quasi_identifiers %}
    {{ ("recoding_" ~ qi) | ident }}.label,
    {% endfor %}
    {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % ("records." ~ (column | ident), floating, floating) if floating else "cast(%s as varchar)" % ("records." ~ (column | ident)) }}
