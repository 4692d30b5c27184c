-- builds: written_value_groups_<column>
-- reads: release
-- one row: set of quasi-identifier values and sensitive value as written in the output file, with its rows
select
    {% for qi in quasi_identifiers %}
    {{ qi | ident }},
    {% endfor %}
    {{ column | ident }} as _value,
    cast(count(*) as bigint) as _value_rows
from release
group by
    {% for qi in quasi_identifiers %}
    {{ qi | ident }},
    {% endfor %}
    {{ column | ident }}
