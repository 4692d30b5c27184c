-- builds: outside_<column>
-- reads: values_<column>, lookup_<column>
-- one row: value of the data that the hierarchy or the saved recoding does not cover, with its rows
select
    present.value,
    present.text,
    present._rows
from {{ ("values_" ~ column) | ident }} as present
left join {{ ("lookup_" ~ column) | ident }} as lookup
    on present.text = lookup.value
where lookup.value is null and present.text is not null and not present.missing
order by present._rows desc, present.text
