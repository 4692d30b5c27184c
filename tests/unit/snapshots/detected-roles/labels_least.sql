-- builds: labels_<column>
-- reads: hierarchy_<column>, values_<column>
-- one row: level and label, with its code, leaves, loss and rows
with levels as (
    select
        0 as level,
        hierarchy.level_0 as label,
        max(hierarchy.leaves_0) as leaves,
        max(hierarchy.loss_0) as loss,
        cast(coalesce(sum(present._rows), 0) as bigint) as _rows
    from "hierarchy_least" as hierarchy
    left join "values_least" as present
        on hierarchy.value is not distinct from present.text
    group by hierarchy.level_0
    union all
    select
        1 as level,
        hierarchy.level_1 as label,
        max(hierarchy.leaves_1) as leaves,
        max(hierarchy.loss_1) as loss,
        cast(coalesce(sum(present._rows), 0) as bigint) as _rows
    from "hierarchy_least" as hierarchy
    left join "values_least" as present
        on hierarchy.value is not distinct from present.text
    group by hierarchy.level_1
),

final as (
    select
        level,
        cast(row_number() over (partition by level order by label nulls last) - 1 as utinyint) as code,
        label,
        leaves,
        loss,
        _rows
    from levels
)

select * from final
order by level, code
