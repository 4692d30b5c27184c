-- builds: outside_rows
-- reads: outside_<column>
-- one row: the column: rows with a value that the saved recoding does not cover
select cast(coalesce(sum(_rows), 0) as bigint) as outside_rows
from {{ ("outside_" ~ column) | ident }}
