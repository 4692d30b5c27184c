-- builds: column_values
-- reads: values_<column>
-- one row: value of a column that is not missing, as text in the order of its type, with its rows
select
    text,
    _rows
from {{ ("values_" ~ column) | ident }}
where text is not null
    and not missing
order by code
limit {{ limit }}
