-- builds: verdicts
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: class of the chosen node, as label codes, with its rows and whether it fails
with classes as (
-- builds: classes_at
-- reads: combinations, combination_entities
-- one row: equivalence class of a node, as label codes, with its rows and its persons
select
    "age_1",
    "sex_0",
    "town_2",
    cast(sum(_persons) as bigint) as _persons,
    cast(sum(_rows) as bigint) as _rows
from (
    select
        "age_1",
        "sex_0",
        "town_2",
        _persons,
        _rows
    from combinations
    union all
    select
        "age_1",
        "sex_0",
        "town_2",
        count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _persons,
        0 as _rows
    from combination_entities
    group by
        "age_1",
        "sex_0",
        "town_2"
) as seen
group by
    "age_1",
    "sex_0",
    "town_2"
),

verdicts as (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, entropy_comparisons)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
judged_1 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _persons as _achieved_1,
    _persons < 3 as _fails_1
from classes
)

select
    *,
    _fails_1 as _fails
from judged_1
)

select * from verdicts
