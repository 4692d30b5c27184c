-- builds: listed_labels
-- reads: lookup_<column>
-- one row: value that the hierarchy lists and the column can hold, with its label and the label of the top
select
    value,
    level_{{ level }} as label,
    level_{{ height }} as top
from {{ ("lookup_" ~ column) | ident }}
where value is null
    or value = cast(try_cast(value as {{ type }}) as varchar)
order by value
