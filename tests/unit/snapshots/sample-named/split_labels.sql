-- builds: split_labels
-- reads: lookup_<column>
-- one row: label whose values have different labels on the next level, with two of these labels
select
    0 as level,
    level_0 as label,
    min(level_1) as one,
    max(level_1) as other
from "lookup_sex"
group by level_0
having min(level_1) <> max(level_1)
    or count(level_1) not in (0, count(*))
order by level, label
