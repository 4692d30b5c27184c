-- builds: expected_histogram_<column>
-- reads: expected_value_groups_<column>
-- one row: set of labels that the recoding gives to the source, and sensitive value, with its rows, or the persons who have it
select
    {% for qi in quasi_identifiers %}
    groups.{{ qi | ident }},
    {% endfor %}
    {{ "cast(cast(groups._value as %s) + cast(0 as %s) as varchar)" % (floating, floating) if floating else "cast(groups._value as varchar)" }} as _value,
    cast(sum(groups._value_rows) as bigint) as _value_rows
from {{ ("expected_value_groups_" ~ column) | ident }} as groups
group by
    {% for qi in quasi_identifiers %}
    groups.{{ qi | ident }},
    {% endfor %}
    {{ "cast(cast(groups._value as %s) + cast(0 as %s) as varchar)" % (floating, floating) if floating else "cast(groups._value as varchar)" }}
