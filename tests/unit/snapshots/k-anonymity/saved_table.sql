-- builds: saved_table
-- reads: hierarchy_<column>, values_<column>
-- one row: value of the hierarchy that is not missing, NULL too, with its label on each level
select
    value,
    level_1
from "hierarchy_sex" as hierarchy
where not exists (
    select 1
    from "values_sex" as present
    where present.missing and present.text is not distinct from hierarchy.value
)
order by value
