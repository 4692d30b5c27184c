-- builds: sensitive_<column>
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, as label codes for each level, and sensitive or protected value in it, as a code, with its rows, or the persons who have the value only in this set
select
    "levels_age".level_0 as "age_0",
    "levels_age".level_1 as "age_1",
    "levels_age".level_2 as "age_2",
    "levels_age".level_3 as "age_3",
    "levels_sex".level_0 as "sex_0",
    "levels_sex".level_1 as "sex_1",
    "levels_town".level_1 as "town_1",
    "levels_town".level_2 as "town_2",
    counts._value_1 as _value,
    cast(sum(counts._rows) as bigint) as _value_rows
from counts
join "levels_age"
    on counts."age" = "levels_age".code
join "levels_sex"
    on counts."sex" = "levels_sex".code
join "levels_town"
    on counts."town" = "levels_town".code
where counts._attribute = 1
group by all
