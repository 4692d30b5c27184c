-- builds: mistaken_values
-- reads: values_<column>, levels_<column>, labels_<column>
-- one row: label of the lowest level that a missing value and another value share
select labels.label
from "values_age" as present
join "levels_age" as levels
    on present.code = levels.code
join "labels_age" as labels
    on labels.level = 0
    and labels.code = levels.level_0
where 0 < 3
group by labels.label
having bool_or(present.missing) and not bool_and(present.missing)
