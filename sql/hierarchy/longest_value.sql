-- builds: longest_value
-- reads: values_<column>
-- one row: the column: the number of characters of its longest value, and its values that are not missing, with their rows
select
    coalesce(max(length(text)), 0) as characters,
    count(*) as present,
    cast(coalesce(sum(_rows), 0) as bigint) as rows
from {{ ("values_" ~ column) | ident }}
where value is not null
    and not missing
