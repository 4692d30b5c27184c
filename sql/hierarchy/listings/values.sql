-- builds: listed_<column>
-- reads: values_<column>
-- one row: value of the data, with its position in the order of the values
select
    row_number() over (order by code) - 1 as cell_0,
    text as cell_1
from {{ ("values_" ~ column) | ident }}
where value is not null
    and not missing
