-- builds: inner_parents
-- reads: listed_<column>
-- one row: parent of a two-column file that stands among its children too
select distinct cast({{ cells[1] | ident }} as varchar) as parent
from {{ ("listed_" ~ column) | ident }}
where cast({{ cells[1] | ident }} as varchar) in (select cast({{ cells[0] | ident }} as varchar) from {{ ("listed_" ~ column) | ident }})
