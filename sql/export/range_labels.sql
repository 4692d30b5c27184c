-- builds: range_labels
-- reads: values_<column>, lookup_<column>
-- one row: range, by its number, with the label that a rule gives to all its values
select
    present.code,
    lookup.level_{{ level }} as label
from {{ ("values_" ~ column) | ident }} as present
join {{ ("lookup_" ~ column) | ident }} as lookup
    on present.text = lookup.value
order by present.code
