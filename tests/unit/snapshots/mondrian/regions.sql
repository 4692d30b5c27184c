-- builds: regions
-- reads: extents, positions_<column> (perhaps ends_<column>, branches_<column>)
-- one row: region of the recoding, in which all rows have the same labels: the labels and their losses
with labelled as (
    select
        extents._partition as _region,
        case
            when ends_1.low = ends_1.high then lowest_1.label
            when ends_1.high >= 7 then '*'
            when ends_1.low = 0 and ends_1.high = 6 then '*'
            when ends_1.low = 0 then '<= ' || ends_1._to
            when ends_1.high = 6 then '>= ' || ends_1._from
            else '[' || ends_1._from || ', ' || ends_1._to || ']'
        end as "age",
        ends_1.low = ends_1.high as _is_value_1,
        ends_1._from as _from_1,
        ends_1._to as _to_1,
        ends_1.low as _low_1,
        ends_1.high as _high_1,
        case
            when ends_1.low = ends_1.high then lowest_1.loss
            when ends_1.high >= 7 then 1.0
            else ends_1.width / 21.0
        end as _loss_1,
        case
            when ends_1.low = ends_1.high then lowest_1.loss
            when ends_1.high >= 7 then 1.0
            when ends_1.low = 0 and ends_1.high = 6 then 1.0
            else (highest_1.leaves - lowest_1.leaves) / 6.0
        end as _leaf_loss_1,
        case
            when ends_1.low = ends_1.high then lowest_1._rows
            when ends_1.high >= 7 then 13
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
    join "ends_age" as ends_1
        on extents._low_1 = ends_1.first
        and extents._high_1 = ends_1.last
    join "positions_age" as lowest_1
        on ends_1.low = lowest_1.position
    join "positions_age" as highest_1
        on ends_1.high = highest_1.position
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
