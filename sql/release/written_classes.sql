-- builds: written_classes
-- reads: written_groups
-- one row: set of labels in the written file, with its rows and the fingerprints of their cells
select
    {% for qi in quasi_identifiers %}
    cast(groups.{{ qi | ident }} as varchar) as {{ qi | ident }},
    {% endfor %}
    {% for name in sums %}
    sum(groups.{{ name }}) as {{ name }},
    {% endfor %}
    cast(sum(groups._rows) as bigint) as _rows
from written_groups as groups
group by
    {% for qi in quasi_identifiers %}
    cast(groups.{{ qi | ident }} as varchar){{ "," if not loop.last }}
    {% endfor %}
