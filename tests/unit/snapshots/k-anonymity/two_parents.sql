-- builds: two_parents
-- reads: listed_<column>
-- one row: node of the tree with more than one parent
select
    cast("cell_0" as varchar) as child,
    cast(min("cell_1") as varchar) as one,
    cast(max("cell_1") as varchar) as other
from "listed_town"
where "cell_0" is not null
group by "cell_0"
having count(distinct "cell_1") > 1
order by child
