-- builds: combinations
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows
select
    "levels_sex".level_0 as "sex_0",
    "levels_sex".level_1 as "sex_1",
    _rows
from counts
join "levels_sex"
    on counts."sex" = "levels_sex".code
