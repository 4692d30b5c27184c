-- builds: shared_labels
-- reads: lookup_<column>
-- one row: label of several groups of one level, with two values from different groups
select
    1 as level,
    level_1 as label,
    arg_min(value, group_1) as one,
    arg_max(value, group_1) as other
from "lookup_age"
group by level_1
having min(group_1) <> max(group_1)
union all
select
    2 as level,
    level_2 as label,
    arg_min(value, group_2) as one,
    arg_max(value, group_2) as other
from "lookup_age"
group by level_2
having min(group_2) <> max(group_2)
order by level, label
