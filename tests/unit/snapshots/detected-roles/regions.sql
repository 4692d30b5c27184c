-- builds: regions
-- reads: extents, positions_<column> (perhaps branches_<column>)
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
with labelled as (
    select
        extents._partition as _region,
        case
            when extents._low_1 = extents._high_1 then lowest_1.label
            when extents._high_1 >= 1 then '*'
            when extents._low_1 = 0 and extents._high_1 = 0 then '*'
            when extents._low_1 = 0 then '<= ' || highest_1.label
            when extents._high_1 = 0 then '>= ' || lowest_1.label
            else '[' || lowest_1.label || ', ' || highest_1.label || ']'
        end as "least",
        extents._low_1 = extents._high_1 as _is_value_1,
        lowest_1.label as _from_1,
        highest_1.label as _to_1,
        case
            when extents._low_1 = extents._high_1 then lowest_1.loss
            when extents._high_1 >= 1 then 1.0
            else (highest_1.point - lowest_1.point) / 1.0
        end as _loss_1,
        case
            when extents._low_1 = extents._high_1 then lowest_1.loss
            when extents._high_1 >= 1 then 1.0
            else (highest_1.leaves - lowest_1.leaves) / 1.0
        end as _leaf_loss_1,
        case
            when extents._low_1 = extents._high_1 then lowest_1._rows
            when extents._high_1 >= 1 then 13
            else highest_1._reach - lowest_1._reach + lowest_1._rows
        end as _under_1,
        case
            when extents._low_2 = extents._high_2 then lowest_2.label
            when extents._high_2 >= 7 then '*'
            when extents._low_2 = 0 and extents._high_2 = 6 then '*'
            when extents._low_2 = 0 then '<= ' || highest_2.label
            when extents._high_2 = 6 then '>= ' || lowest_2.label
            else '[' || lowest_2.label || ', ' || highest_2.label || ']'
        end as "age",
        extents._low_2 = extents._high_2 as _is_value_2,
        lowest_2.label as _from_2,
        highest_2.label as _to_2,
        case
            when extents._low_2 = extents._high_2 then lowest_2.loss
            when extents._high_2 >= 7 then 1.0
            else (highest_2.point - lowest_2.point) / 21.0
        end as _loss_2,
        case
            when extents._low_2 = extents._high_2 then lowest_2.loss
            when extents._high_2 >= 7 then 1.0
            else (highest_2.leaves - lowest_2.leaves) / 6.0
        end as _leaf_loss_2,
        case
            when extents._low_2 = extents._high_2 then lowest_2._rows
            when extents._high_2 >= 7 then 13
            else highest_2._reach - lowest_2._reach + lowest_2._rows
        end as _under_2,
        branch_3.label as "sex",
        branch_3.level as _level_3,
        branch_3.level = 0 as _is_value_3,
        branch_3.loss as _loss_3,
        branch_3.loss as _leaf_loss_3,
        branch_3._rows as _under_3,
        branch_4.label as "town",
        branch_4.level as _level_4,
        branch_4.level = 0 as _is_value_4,
        branch_4.loss as _loss_4,
        branch_4.loss as _leaf_loss_4,
        branch_4._rows as _under_4,
        branch_5.label as "illness",
        branch_5.level as _level_5,
        branch_5.level = 0 as _is_value_5,
        branch_5.loss as _loss_5,
        branch_5.loss as _leaf_loss_5,
        branch_5._rows as _under_5,
        case
            when extents._low_6 = extents._high_6 then lowest_6.label
            when extents._high_6 >= 5 then '*'
            when extents._low_6 = 0 and extents._high_6 = 4 then '*'
            when extents._low_6 = 0 then '<= ' || highest_6.label
            when extents._high_6 = 4 then '>= ' || lowest_6.label
            else '[' || lowest_6.label || ', ' || highest_6.label || ']'
        end as "pay",
        extents._low_6 = extents._high_6 as _is_value_6,
        lowest_6.label as _from_6,
        highest_6.label as _to_6,
        case
            when extents._low_6 = extents._high_6 then lowest_6.loss
            when extents._high_6 >= 5 then 1.0
            else (highest_6.point - lowest_6.point) / 2.0
        end as _loss_6,
        case
            when extents._low_6 = extents._high_6 then lowest_6.loss
            when extents._high_6 >= 5 then 1.0
            else (highest_6.leaves - lowest_6.leaves) / 4.0
        end as _leaf_loss_6,
        case
            when extents._low_6 = extents._high_6 then lowest_6._rows
            when extents._high_6 >= 5 then 13
            else highest_6._reach - lowest_6._reach + lowest_6._rows
        end as _under_6
    from extents
    join "positions_least" as lowest_1
        on extents._low_1 = lowest_1.position
    join "positions_least" as highest_1
        on extents._high_1 = highest_1.position
    join "positions_age" as lowest_2
        on extents._low_2 = lowest_2.position
    join "positions_age" as highest_2
        on extents._high_2 = highest_2.position
    join "positions_sex" as lowest_3
        on extents._low_3 = lowest_3.position
    join "positions_sex" as highest_3
        on extents._high_3 = highest_3.position
    join "branches_sex" as branch_3
        on branch_3.level = case when lowest_3.level_0 = highest_3.level_0 then 0 else 1 end
        and branch_3.position = lowest_3.position
    join "positions_town" as lowest_4
        on extents._low_4 = lowest_4.position
    join "positions_town" as highest_4
        on extents._high_4 = highest_4.position
    join "branches_town" as branch_4
        on branch_4.level = case when lowest_4.level_0 = highest_4.level_0 then 0 else 1 end
        and branch_4.position = lowest_4.position
    join "positions_illness" as lowest_5
        on extents._low_5 = lowest_5.position
    join "positions_illness" as highest_5
        on extents._high_5 = highest_5.position
    join "branches_illness" as branch_5
        on branch_5.level = case when lowest_5.level_0 = highest_5.level_0 then 0 else 1 end
        and branch_5.position = lowest_5.position
    join "positions_pay" as lowest_6
        on extents._low_6 = lowest_6.position
    join "positions_pay" as highest_6
        on extents._high_6 = highest_6.position

)

select
    *,
    dense_rank() over (order by "least", "age", "sex", "town", "illness", "pay") as _class_number
from labelled
