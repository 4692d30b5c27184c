-- builds: saved_table
-- reads: hierarchy_<column>, values_<column>
-- one row: value that the hierarchy lists, with its label on each level
with listed as (
    select *
    from "hierarchy_sex" as hierarchy
    where not exists (
        select 1
        from "values_sex" as present
        where present.missing and present.text is not distinct from hierarchy.value
    )
)

select
    value,
    level_1
from listed
where value is not null
    -- NULL is always in the table; it is a leaf only if it was listed
    or (select count(*) from listed) = domain
order by value
