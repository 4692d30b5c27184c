-- builds: sensitive_<column>
-- reads: value_places_<column>
-- one row: distinct set of quasi-identifier values, as label codes for each level, and sensitive value in it, as a code, with its rows, or the persons who have the value only in this set
select
    * exclude (_entity, _places),
    count(*) as _value_rows
from {{ ("value_places_" ~ column) | ident }}
where _places = 1
group by all
