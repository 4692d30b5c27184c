-- builds: group_rows
-- reads: lookup_<column>, values_<column>
-- one row: interval of a level, or the label of bottom- or top-coded values, with its number as text, its label and its rows
select
    cast(lookup.group_{{ level }} as varchar) as _group,
    min(lookup.level_{{ level }}) as _label,
    cast(sum(present._rows) as bigint) as _rows
from {{ ("lookup_" ~ column) | ident }} as lookup
join {{ ("values_" ~ column) | ident }} as present
    on present.text = lookup.value
where lookup.group_{{ level }} is not null
group by
    lookup.group_{{ level }}
order by
    _label
limit {{ limit }}
