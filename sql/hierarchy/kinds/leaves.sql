-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: leaf of a tree that cannot be built
select
    cast({{ cells[0] | ident }} as varchar) as value,
    cast({{ cells[0] | ident }} as varchar) as level_0
from {{ ("listed_" ~ column) | ident }}
where {{ cells[0] | ident }} is not null
    and {{ cells[0] | ident }} not in (
        select {{ cells[1] | ident }}
        from {{ ("listed_" ~ column) | ident }}
        where {{ cells[1] | ident }} is not null
    )
group by all
