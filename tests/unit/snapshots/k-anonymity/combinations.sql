-- builds: combinations
-- reads: records, values_<column>, levels_<column>
-- one row: distinct set of quasi-identifier labels on the lowest levels that are allowed, as label codes for each level, with its rows
with "labels_of_age" as (
    select
        present.value,
        levels.level_0 as code
    from "values_age" as present
    join "levels_age" as levels
        on present.code = levels.code
),

"labels_of_sex" as (
    select
        present.value,
        levels.level_0 as code
    from "values_sex" as present
    join "levels_sex" as levels
        on present.code = levels.code
),

"labels_of_town" as (
    select
        present.value,
        levels.level_1 as code
    from "values_town" as present
    join "levels_town" as levels
        on present.code = levels.code
),

counts as (
    select
        "labels_of_age".code as "age",
        "labels_of_sex".code as "sex",
        "labels_of_town".code as "town",
        cast(count(*) as bigint) as _rows
    from records
    join "labels_of_age"
        on records."age" is not distinct from "labels_of_age".value
    join "labels_of_sex"
        on records."sex" is not distinct from "labels_of_sex".value
    join "labels_of_town"
        on records."town" is not distinct from "labels_of_town".value
    group by all
)

select
    "levels_age".level_0 as "age_0",
    "levels_age".level_1 as "age_1",
    "levels_age".level_2 as "age_2",
    "levels_age".level_3 as "age_3",
    "levels_sex".level_0 as "sex_0",
    "levels_sex".level_1 as "sex_1",
    "levels_town".level_1 as "town_1",
    "levels_town".level_2 as "town_2",
    counts._rows
from counts
join (
    select distinct
        level_0,
        level_1,
        level_2,
        level_3
    from "levels_age"
) as "levels_age"
    on counts."age" = "levels_age".level_0
join (
    select distinct
        level_0,
        level_1
    from "levels_sex"
) as "levels_sex"
    on counts."sex" = "levels_sex".level_0
join (
    select distinct
        level_1,
        level_2
    from "levels_town"
) as "levels_town"
    on counts."town" = "levels_town".level_1
