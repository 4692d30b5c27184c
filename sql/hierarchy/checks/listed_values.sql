-- builds: listed_values
-- reads: lookup_<column> (perhaps values_<column>)
-- one row: value that the hierarchy lists, up to a maximum number, with its lines, if they meet a condition
select
    value,
    count(*) as lines
from {{ ("lookup_" ~ column) | ident }}
group by value
having {{ condition }}
order by {{ order }}
limit {{ most | literal }}
