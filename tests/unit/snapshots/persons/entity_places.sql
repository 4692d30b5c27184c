-- builds: entity_places
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values and person, with the rows, and the number of sets that the person has; 2 if several columns are counted, because each may have a person in other sets
with places as (
    select
        "levels_age".level_0 as "age_0",
        "levels_age".level_1 as "age_1",
        "levels_age".level_2 as "age_2",
        "levels_age".level_3 as "age_3",
        "levels_sex".level_0 as "sex_0",
        "levels_sex".level_1 as "sex_1",
        "levels_town".level_1 as "town_1",
        "levels_town".level_2 as "town_2",
        _entity,
        cast(sum(_rows) as bigint) as _rows
    from counts
    join "levels_age"
        on counts."age" = "levels_age".code
    join "levels_sex"
        on counts."sex" = "levels_sex".code
    join "levels_town"
        on counts."town" = "levels_town".code
    group by all
)

select
    *,
    count(*) over (partition by _entity) as _places
from places
