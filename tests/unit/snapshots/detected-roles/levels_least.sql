-- builds: levels_<column>
-- reads: values_<column>, hierarchy_<column>, labels_<column>
-- one row: value code, with the code of its label on each level
select
    present.code,
    labels_0.code as level_0,
    labels_1.code as level_1
from "values_least" as present
join "hierarchy_least" as hierarchy
    on present.text is not distinct from hierarchy.value
join "labels_least" as labels_0
    on labels_0.level = 0
    and labels_0.label is not distinct from hierarchy.level_0
join "labels_least" as labels_1
    on labels_1.level = 1
    and labels_1.label is not distinct from hierarchy.level_1
