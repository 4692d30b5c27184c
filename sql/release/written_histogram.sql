-- builds: written_histogram_<column>
-- reads: release
-- one row: set of labels in the file that was written, and sensitive value, with its rows
select
    {% for qi in quasi_identifiers %}
    cast({{ qi | ident }} as varchar) as {{ qi | ident }},
    {% endfor %}
    {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % (column | ident, floating, floating) if floating else "cast(%s as varchar)" % (column | ident) }} as _value,
    cast(count(*) as bigint) as _value_rows
from release
group by
    {% for qi in quasi_identifiers %}
    cast({{ qi | ident }} as varchar),
    {% endfor %}
    {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % (column | ident, floating, floating) if floating else "cast(%s as varchar)" % (column | ident) }}
