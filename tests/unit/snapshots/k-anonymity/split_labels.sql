-- builds: split_labels
-- reads: lookup_<column>
-- one row: label whose values have different labels on the next level, with two of these labels
select
    0 as level,
    level_0 as label,
    min(level_1) as one,
    max(level_1) as other
from "lookup_age"
group by level_0
having min(level_1) <> max(level_1)
    or count(level_1) not in (0, count(*))
union all
select
    1 as level,
    level_1 as label,
    min(level_2) as one,
    max(level_2) as other
from "lookup_age"
group by level_1
having min(level_2) <> max(level_2)
    or count(level_2) not in (0, count(*))
union all
select
    2 as level,
    level_2 as label,
    min(level_3) as one,
    max(level_3) as other
from "lookup_age"
group by level_2
having min(level_3) <> max(level_3)
    or count(level_3) not in (0, count(*))
order by level, label
