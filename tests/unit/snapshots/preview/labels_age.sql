-- builds: labels_<column>
-- reads: hierarchy_<column>, values_<column>
-- one row: level and label, with its code, leaves, loss and rows
with labelled as (
    select
        unnest([0, 1, 2, 3]) as level,
        unnest([level_0, level_1, level_2, level_3]) as label,
        unnest([leaves_0, leaves_1, leaves_2, leaves_3]) as leaves,
        unnest([loss_0, loss_1, loss_2, loss_3]) as loss,
        present._rows
    from "hierarchy_age" as hierarchy
    left join "values_age" as present
        on hierarchy.value is not distinct from present.text
),

levels as (
    select
        level,
        label,
        max(leaves) as leaves,
        max(loss) as loss,
        cast(coalesce(sum(_rows), 0) as bigint) as _rows
    from labelled
    group by level, label
),

final as (
    select
        level,
        cast(row_number() over (partition by level order by label nulls last) - 1 as uinteger) as code,
        label,
        leaves,
        loss,
        _rows
    from levels
)

select * from final
order by level, code
