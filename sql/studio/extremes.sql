-- builds: extremes
-- reads: values_<column>
-- one row: least and greatest number of a column
select
    min(try_cast(text as decimal(38, 9))) as least,
    max(try_cast(text as decimal(38, 9))) as greatest
from {{ ("values_" ~ column) | ident }}
