-- builds: candidates
-- reads: spans (perhaps positions_<column>, branches_<column>)
-- one row: partition that may be cut and attribute with several values in it, the widest first, by width times weight
with widths as (
    select
        spans._partition,
        1 as _attribute,
        cast(1.0 as double) as _weight,
        cast(null as integer) as _level,
        spans._high_1 >= 1 as _is_mixed,
        case
            when spans._high_1 >= 1 then 1.0
            else (highest.point - lowest.point) / 1.0
        end as _width
    from spans
    join "positions_least" as lowest
        on spans._low_1 = lowest.position
    join "positions_least" as highest
        on spans._high_1 = highest.position
    where spans._low_1 < least(spans._high_1, 1)
    union all
    select
        spans._partition,
        2 as _attribute,
        cast(1.3 as double) as _weight,
        cast(null as integer) as _level,
        spans._high_2 >= 7 as _is_mixed,
        case
            when spans._high_2 >= 7 then 1.0
            else (highest.point - lowest.point) / 21.0
        end as _width
    from spans
    join "positions_age" as lowest
        on spans._low_2 = lowest.position
    join "positions_age" as highest
        on spans._high_2 = highest.position
    where spans._low_2 < least(spans._high_2, 7)
    union all
    select
        spans._partition,
        3 as _attribute,
        cast(1.1 as double) as _weight,
        case when lowest.level_0 = highest.level_0 then 0 else 1 end as _level,
        false as _is_mixed,
        branches.loss as _width
    from spans
    join "positions_sex" as lowest
        on spans._low_3 = lowest.position
    join "positions_sex" as highest
        on spans._high_3 = highest.position
    join "branches_sex" as branches
        on branches.level = case when lowest.level_0 = highest.level_0 then 0 else 1 end
        and branches.position = lowest.position
    where spans._low_3 < spans._high_3
    union all
    select
        spans._partition,
        4 as _attribute,
        cast(1.2 as double) as _weight,
        case when lowest.level_0 = highest.level_0 then 0 else 1 end as _level,
        false as _is_mixed,
        branches.loss as _width
    from spans
    join "positions_town" as lowest
        on spans._low_4 = lowest.position
    join "positions_town" as highest
        on spans._high_4 = highest.position
    join "branches_town" as branches
        on branches.level = case when lowest.level_0 = highest.level_0 then 0 else 1 end
        and branches.position = lowest.position
    where spans._low_4 < spans._high_4
    union all
    select
        spans._partition,
        5 as _attribute,
        cast(1.4 as double) as _weight,
        case when lowest.level_0 = highest.level_0 then 0 else 1 end as _level,
        false as _is_mixed,
        branches.loss as _width
    from spans
    join "positions_illness" as lowest
        on spans._low_5 = lowest.position
    join "positions_illness" as highest
        on spans._high_5 = highest.position
    join "branches_illness" as branches
        on branches.level = case when lowest.level_0 = highest.level_0 then 0 else 1 end
        and branches.position = lowest.position
    where spans._low_5 < spans._high_5
    union all
    select
        spans._partition,
        6 as _attribute,
        cast(1.1 as double) as _weight,
        cast(null as integer) as _level,
        spans._high_6 >= 5 as _is_mixed,
        case
            when spans._high_6 >= 5 then 1.0
            else (highest.point - lowest.point) / 2.0
        end as _width
    from spans
    join "positions_pay" as lowest
        on spans._low_6 = lowest.position
    join "positions_pay" as highest
        on spans._high_6 = highest.position
    where spans._low_6 < least(spans._high_6, 5)
)

select
    *,
    row_number() over (partition by _partition order by _width * _weight desc, _attribute) as _rank
from widths
