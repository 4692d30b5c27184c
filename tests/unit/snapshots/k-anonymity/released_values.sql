-- builds: released_values
-- reads: class_results, labels_<column> (perhaps combinations, region_assignments, levels_<column>)
-- one row: quasi-identifier, by its number, level and label, with its rows and its released rows
with released as (
    select
        combinations."age_0" as _code_1,
        combinations."age_1" as _code_2,
        combinations."sex_0" as _code_3,
        combinations."town_1" as _code_4,
        combinations."town_2" as _code_5,
        combinations._rows
    from combinations
    join class_results
        on combinations."age_1" = class_results."age_1"
        and combinations."sex_0" = class_results."sex_0"
        and combinations."town_2" = class_results."town_2"
    where not class_results._fails
),

counted as (
    select
        case
            when grouping(_code_1) = 0 then 1
            when grouping(_code_2) = 0 then 2
            when grouping(_code_3) = 0 then 3
            when grouping(_code_4) = 0 then 4
            when grouping(_code_5) = 0 then 5
        end as _part,
        coalesce(cast(_code_1 as bigint), cast(_code_2 as bigint), cast(_code_3 as bigint), cast(_code_4 as bigint), cast(_code_5 as bigint)) as _code,
        cast(sum(_rows) as bigint) as _released
    from released
    group by grouping sets ((_code_1), (_code_2), (_code_3), (_code_4), (_code_5))
)

select
    0 as _attribute,
    0 as _level,
    labels.label as _label,
    labels._rows,
    coalesce(counted._released, 0) as _released
from "labels_age" as labels
left join counted
    on counted._part = 1
    and counted._code = labels.code
where labels.level = 0
    and labels._rows > 0
union all
select
    0 as _attribute,
    1 as _level,
    labels.label as _label,
    labels._rows,
    coalesce(counted._released, 0) as _released
from "labels_age" as labels
left join counted
    on counted._part = 2
    and counted._code = labels.code
where labels.level = 1
    and labels._rows > 0
union all
select
    1 as _attribute,
    0 as _level,
    labels.label as _label,
    labels._rows,
    coalesce(counted._released, 0) as _released
from "labels_sex" as labels
left join counted
    on counted._part = 3
    and counted._code = labels.code
where labels.level = 0
    and labels._rows > 0
union all
select
    2 as _attribute,
    1 as _level,
    labels.label as _label,
    labels._rows,
    coalesce(counted._released, 0) as _released
from "labels_town" as labels
left join counted
    on counted._part = 4
    and counted._code = labels.code
where labels.level = 1
    and labels._rows > 0
union all
select
    2 as _attribute,
    2 as _level,
    labels.label as _label,
    labels._rows,
    coalesce(counted._released, 0) as _released
from "labels_town" as labels
left join counted
    on counted._part = 5
    and counted._code = labels.code
where labels.level = 2
    and labels._rows > 0
