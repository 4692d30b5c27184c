-- builds: label_rows
-- reads: lookup_<column>, values_<column>
-- one row: label: the rows of the data under it
select coalesce(cast(sum(present._rows) as bigint), 0) as _rows
from {{ ("lookup_" ~ column) | ident }} as lookup
join {{ ("values_" ~ column) | ident }} as present
    on lookup.value is not distinct from present.text
where lookup.level_{{ level }} is not distinct from {{ label | literal }}
