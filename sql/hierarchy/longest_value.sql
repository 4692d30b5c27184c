-- builds: longest_value
-- reads: values_<column>
-- one row: the column: the number of characters of its longest value, and the number of values
select
    coalesce(max(length(text)), 0) as characters,
    count(*) as present
from {{ ("values_" ~ column) | ident }}
where value is not null and not missing
