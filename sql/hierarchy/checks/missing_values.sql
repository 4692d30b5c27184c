-- builds: missing_values
-- reads: values_<column>
-- one row: value that is NULL or a usual mark of missing values, with its rows
select
    text,
    missing,
    _rows
from {{ ("values_" ~ column) | ident }}
where value is null or missing or text in ({% for mark in missing_tokens %}{{ mark | literal }}{{ ", " if not loop.last }}{% endfor %})
order by text nulls first
