-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values in the file that was written, as they stand there, with its rows
select
    {% for qi in quasi_identifiers %}
    {{ qi | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from release
group by
    {% for qi in quasi_identifiers %}
    {{ qi | ident }}{{ "," if not loop.last }}
    {% endfor %}
