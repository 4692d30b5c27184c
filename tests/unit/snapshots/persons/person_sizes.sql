-- builds: person_sizes
-- reads: combinations, combination_entities
-- one row: number of persons, with the sets of quasi-identifier values that this number of persons share, and their rows
with classes as (
-- builds: classes_at
-- reads: combinations, combination_entities
-- one row: equivalence class of a node, as label codes, with its rows and its persons
select
    "age_0",
    "sex_0",
    "town_1",
    cast(sum(_persons) as bigint) as _persons,
    cast(sum(_rows) as bigint) as _rows
from (
    select
        "age_0",
        "sex_0",
        "town_1",
        _persons,
        _rows
    from combinations
    union all
    select
        "age_0",
        "sex_0",
        "town_1",
        count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _persons,
        0 as _rows
    from combination_entities
    group by
        "age_0",
        "sex_0",
        "town_1"
) as seen
group by
    "age_0",
    "sex_0",
    "town_1"
)

select
    _persons as size,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from classes
group by
    _persons
order by size
