-- builds: labels_of
-- reads: labels_<column>
-- one row: label on a level, by its code
select label
from {{ ("labels_" ~ column) | ident }}
where
    level = {{ level }}
    and code = {{ code }}
