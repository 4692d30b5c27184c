-- builds: sensitive_<column>
-- reads: value_places_<column>
-- one row: distinct set of quasi-identifier values, as label codes a level, and sensitive value in it, as a code, with its rows, or the persons who have the value in no other set
select
    * exclude (_entity, _places),
    count(*) as _value_rows
from {{ ("value_places_" ~ column) | ident }}
where _places = 1
group by all
