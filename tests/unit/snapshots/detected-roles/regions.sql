-- builds: regions
-- reads: extents, positions_<column> (perhaps ends_<column>, branches_<column>)
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
with labelled as (
    select
        extents._partition as _region,
        case
            when ends_1.low = ends_1.high then lowest_1.label
            when ends_1.high >= 1 then '*'
            when ends_1.low = 0 and ends_1.high = 0 then '*'
            when ends_1.low = 0 then '<= ' || ends_1._to
            when ends_1.high = 0 then '>= ' || ends_1._from
            else '[' || ends_1._from || ', ' || ends_1._to || ']'
        end as "least",
        ends_1.low = ends_1.high as _is_value_1,
        ends_1._from as _from_1,
        ends_1._to as _to_1,
        ends_1.low as _low_1,
        ends_1.high as _high_1,
        case
            when ends_1.low = ends_1.high then lowest_1.loss
            when ends_1.high >= 1 then 1.0
            else ends_1.width / 1.0
        end as _loss_1,
        case
            when ends_1.low = ends_1.high then lowest_1.loss
            when ends_1.high >= 1 then 1.0
            when ends_1.low = 0 and ends_1.high = 0 then 1.0
            else (highest_1.leaves - lowest_1.leaves) / 1.0
        end as _leaf_loss_1,
        case
            when ends_1.low = ends_1.high then lowest_1._rows
            when ends_1.high >= 1 then 13
            else highest_1._reach - lowest_1._reach + lowest_1._rows
        end as _under_1,
        case
            when ends_2.low = ends_2.high then lowest_2.label
            when ends_2.high >= 7 then '*'
            when ends_2.low = 0 and ends_2.high = 6 then '*'
            when ends_2.low = 0 then '<= ' || ends_2._to
            when ends_2.high = 6 then '>= ' || ends_2._from
            else '[' || ends_2._from || ', ' || ends_2._to || ']'
        end as "age",
        ends_2.low = ends_2.high as _is_value_2,
        ends_2._from as _from_2,
        ends_2._to as _to_2,
        ends_2.low as _low_2,
        ends_2.high as _high_2,
        case
            when ends_2.low = ends_2.high then lowest_2.loss
            when ends_2.high >= 7 then 1.0
            else ends_2.width / 21.0
        end as _loss_2,
        case
            when ends_2.low = ends_2.high then lowest_2.loss
            when ends_2.high >= 7 then 1.0
            when ends_2.low = 0 and ends_2.high = 6 then 1.0
            else (highest_2.leaves - lowest_2.leaves) / 6.0
        end as _leaf_loss_2,
        case
            when ends_2.low = ends_2.high then lowest_2._rows
            when ends_2.high >= 7 then 13
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
            when ends_6.low = ends_6.high then lowest_6.label
            when ends_6.high >= 5 then '*'
            when ends_6.low = 0 and ends_6.high = 4 then '*'
            when ends_6.low = 0 then '<= ' || ends_6._to
            when ends_6.high = 4 then '>= ' || ends_6._from
            else '[' || ends_6._from || ', ' || ends_6._to || ']'
        end as "pay",
        ends_6.low = ends_6.high as _is_value_6,
        ends_6._from as _from_6,
        ends_6._to as _to_6,
        ends_6.low as _low_6,
        ends_6.high as _high_6,
        case
            when ends_6.low = ends_6.high then lowest_6.loss
            when ends_6.high >= 5 then 1.0
            else ends_6.width / 2.0
        end as _loss_6,
        case
            when ends_6.low = ends_6.high then lowest_6.loss
            when ends_6.high >= 5 then 1.0
            when ends_6.low = 0 and ends_6.high = 4 then 1.0
            else (highest_6.leaves - lowest_6.leaves) / 4.0
        end as _leaf_loss_6,
        case
            when ends_6.low = ends_6.high then lowest_6._rows
            when ends_6.high >= 5 then 13
            else highest_6._reach - lowest_6._reach + lowest_6._rows
        end as _under_6
    from extents
    join "ends_least" as ends_1
        on extents._low_1 = ends_1.first
        and extents._high_1 = ends_1.last
    join "positions_least" as lowest_1
        on ends_1.low = lowest_1.position
    join "positions_least" as highest_1
        on ends_1.high = highest_1.position
    join "ends_age" as ends_2
        on extents._low_2 = ends_2.first
        and extents._high_2 = ends_2.last
    join "positions_age" as lowest_2
        on ends_2.low = lowest_2.position
    join "positions_age" as highest_2
        on ends_2.high = highest_2.position
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
    join "ends_pay" as ends_6
        on extents._low_6 = ends_6.first
        and extents._high_6 = ends_6.last
    join "positions_pay" as lowest_6
        on ends_6.low = lowest_6.position
    join "positions_pay" as highest_6
        on ends_6.high = highest_6.position

)

select
    *,
    dense_rank() over (order by "least", "age", "sex", "town", "illness", "pay") as _class_number
from labelled
