-- builds: longest_value
-- reads: values_<column>
-- one row: the column: how many characters its longest value has, and how many values
select
    coalesce(max(length(text)), 0) as characters,
    count(*) as present
from {{ ("values_" ~ column) | ident }}
where value is not null and not missing
