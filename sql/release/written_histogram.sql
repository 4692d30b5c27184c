-- builds: written_histogram_<column>
-- reads: written_value_groups_<column>
-- one row: set of labels in the written file, and sensitive value, with its rows
select
    {% for qi in quasi_identifiers %}
    cast(groups.{{ qi | ident }} as varchar) as {{ qi | ident }},
    {% endfor %}
    {{ "cast(cast(groups._value as %s) + cast(0 as %s) as varchar)" % (floating, floating) if floating else "cast(groups._value as varchar)" }} as _value,
    cast(sum(groups._value_rows) as bigint) as _value_rows
from {{ ("written_value_groups_" ~ column) | ident }} as groups
group by
    {% for qi in quasi_identifiers %}
    cast(groups.{{ qi | ident }} as varchar),
    {% endfor %}
    {{ "cast(cast(groups._value as %s) + cast(0 as %s) as varchar)" % (floating, floating) if floating else "cast(groups._value as varchar)" }}
