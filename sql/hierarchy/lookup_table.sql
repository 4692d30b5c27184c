-- builds: lookup_table
-- reads: lookup_<column>, values_<column>
-- one row: value that the hierarchy covers, with its label on each higher level
select
    lookup.value,
    {% for level in range(1, height + 1) %}
    lookup.level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("lookup_" ~ column) | ident }} as lookup
left join {{ ("values_" ~ column) | ident }} as present
    on lookup.value is not distinct from present.text
order by
    present.code nulls last,
    lookup.rowid
limit {{ most | literal }}
