-- builds: labels_at
-- reads: labels_<column>
-- one row: label in the data on one level, with its code and its rows
select
    code,
    label,
    _rows
from {{ ("labels_" ~ column) | ident }}
where
    level = {{ level }}
    and _rows > 0
order by code
