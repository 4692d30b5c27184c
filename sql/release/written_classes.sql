-- builds: written_classes
-- reads: release
-- one row: set of labels in the file that was written, with its rows
select
    {% for qi in quasi_identifiers %}
    cast({{ qi | ident }} as varchar) as {{ qi | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from release
group by
    {% for qi in quasi_identifiers %}
    cast({{ qi | ident }} as varchar){{ "," if not loop.last }}
    {% endfor %}
