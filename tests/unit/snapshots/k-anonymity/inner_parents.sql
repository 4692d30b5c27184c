-- builds: inner_parents
-- reads: listed_<column>
-- one row: parent in a two-column file that is also a child, if there are several parents
with edges as (
    select distinct
        cast("cell_0" as varchar) as child,
        cast("cell_1" as varchar) as parent
    from "listed_sex"
)

select distinct parent
from edges
where parent in (select child from edges)
    and (select count(distinct parent) from edges) > 1
order by parent
