-- builds: is_retyped
-- reads: values_<column>, hierarchy_<column>
-- one row: the column: whether level 0 shows another text than the value for some rows: the top for missing values, a legal floor
select exists (
    select 1
    from "values_sex" as present
    join "hierarchy_sex" as hierarchy
        on present.text is not distinct from hierarchy.value
    where hierarchy.level_0 is distinct from present.text
) as is_retyped
