-- builds: recoding_<column>
-- reads: values_<column>, hierarchy_<column>, levels_<column>
-- one row: value, with its label and code in the release
select
    present.value,
    hierarchy.level_1 as label,
    levels.level_1 as code
from "values_town" as present
join "hierarchy_town" as hierarchy
    on present.text is not distinct from hierarchy.value
join "levels_town" as levels
    on present.code = levels.code
