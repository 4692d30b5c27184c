-- builds: regions
-- reads: extents, positions_<column> (perhaps branches_<column>)
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
with labelled as (
    select
        extents._partition as _region,
        case
            when extents._low_1 = extents._high_1 then lowest_1.label
            when extents._high_1 >= 7 then '*'
            when extents._low_1 = 0 and extents._high_1 = 6 then '*'
            when extents._low_1 = 0 then '<= ' || highest_1.label
            when extents._high_1 = 6 then '>= ' || lowest_1.label
            else '[' || lowest_1.label || ', ' || highest_1.label || ']'
        end as "age",
        extents._low_1 = extents._high_1 as _is_value_1,
        lowest_1.label as _from_1,
        highest_1.label as _to_1,
        case
            when extents._low_1 = extents._high_1 then lowest_1.loss
            when extents._high_1 >= 7 then 1.0
            else (highest_1.point - lowest_1.point) / 21.0
        end as _loss_1,
        case
            when extents._low_1 = extents._high_1 then lowest_1.loss
            when extents._high_1 >= 7 then 1.0
            else (highest_1.leaves - lowest_1.leaves) / 6.0
        end as _leaf_loss_1,
        case
            when extents._low_1 = extents._high_1 then lowest_1._rows
            when extents._high_1 >= 7 then 13
            else highest_1._reach - lowest_1._reach + lowest_1._rows
        end as _under_1,
        branch_2.label as "sex",
        branch_2.level as _level_2,
        branch_2.level = 0 as _is_value_2,
        branch_2.loss as _loss_2,
        branch_2.loss as _leaf_loss_2,
        branch_2._rows as _under_2,
        branch_3.label as "town",
        branch_3.level as _level_3,
        branch_3.level = 0 as _is_value_3,
        branch_3.loss as _loss_3,
        branch_3.loss as _leaf_loss_3,
        branch_3._rows as _under_3
    from extents
    join "positions_age" as lowest_1
        on extents._low_1 = lowest_1.position
    join "positions_age" as highest_1
        on extents._high_1 = highest_1.position
    join "positions_sex" as lowest_2
        on extents._low_2 = lowest_2.position
    join "positions_sex" as highest_2
        on extents._high_2 = highest_2.position
    join "branches_sex" as branch_2
        on branch_2.level = case when lowest_2.level_0 = highest_2.level_0 then 0 else 1 end
        and branch_2.position = lowest_2.position
    join "positions_town" as lowest_3
        on extents._low_3 = lowest_3.position
    join "positions_town" as highest_3
        on extents._high_3 = highest_3.position
    join "branches_town" as branch_3
        on branch_3.level = case when lowest_3.level_1 = highest_3.level_1 then 1 else 2 end
        and branch_3.position = lowest_3.position

)

select
    *,
    dense_rank() over (order by "age", "sex", "town") as _class_number
from labelled
