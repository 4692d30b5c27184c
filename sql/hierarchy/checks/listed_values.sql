-- builds: listed_values
-- reads: lookup_<column> (perhaps values_<column>)
-- one row: value that the hierarchy lists, if it meets a condition, up to a maximum number
select value
from {{ ("lookup_" ~ column) | ident }} as lookup
where value is not null
    and {{ condition }}
order by {{ order }}
limit {{ most | literal }}
