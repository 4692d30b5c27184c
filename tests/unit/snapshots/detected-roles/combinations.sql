-- builds: combinations
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows
select
    "levels_least".level_0 as "least_0",
    "levels_least".level_1 as "least_1",
    "levels_age".level_0 as "age_0",
    "levels_age".level_1 as "age_1",
    "levels_sex".level_0 as "sex_0",
    "levels_sex".level_1 as "sex_1",
    "levels_town".level_0 as "town_0",
    "levels_town".level_1 as "town_1",
    "levels_illness".level_0 as "illness_0",
    "levels_illness".level_1 as "illness_1",
    "levels_pay".level_0 as "pay_0",
    "levels_pay".level_1 as "pay_1",
    _rows
from counts
join "levels_least"
    on counts."least" = "levels_least".code
join "levels_age"
    on counts."age" = "levels_age".code
join "levels_sex"
    on counts."sex" = "levels_sex".code
join "levels_town"
    on counts."town" = "levels_town".code
join "levels_illness"
    on counts."illness" = "levels_illness".code
join "levels_pay"
    on counts."pay" = "levels_pay".code
