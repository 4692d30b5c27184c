-- builds: recoding_<column>
-- reads: values_<column>, hierarchy_<column>, levels_<column>
-- one row: value, with its label and code in the release
select
    present.value,
    hierarchy.level_0 as label,
    levels.level_0 as code
from "values_age" as present
join "hierarchy_age" as hierarchy
    on present.text is not distinct from hierarchy.value
join "levels_age" as levels
    on present.code = levels.code
