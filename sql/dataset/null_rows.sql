-- builds: null_rows
-- reads: values_<column>
-- one row: the column: its rows without a value
select cast(coalesce(sum(_rows), 0) as bigint) as null_rows
from {{ ("values_" ~ column) | ident }}
where value is null
