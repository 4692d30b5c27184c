-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: line of the value table: value, its label on each level
select
    cast("cell_0" as varchar) as value,
    cast("cell_0" as varchar) as level_0,
    cast("cell_1" as varchar) as level_1
from "listed_sex"
where "cell_0" is not null or "cell_1" is not null
