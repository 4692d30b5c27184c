-- builds: unseen_values
-- reads: lookup_<column>, values_<column>
-- one row: value that the hierarchy lists and the data does not have
select lookup.value
from {{ ("lookup_" ~ column) | ident }} as lookup
where lookup.value is not null
    and not exists (
        select 1
        from {{ ("values_" ~ column) | ident }} as present
        where present.text = lookup.value
    )
order by lookup.value
