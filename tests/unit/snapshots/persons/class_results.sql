-- builds: class_results
-- reads: combinations or region_assignments or remaining (perhaps combination_entities, sensitive_<column>, value_entities_<column>, cell_entities, cell_values_<column>, cell_value_entities_<column>, class_members, class_values_<column>, regions, distribution_<column>, entropy_comparisons)
-- one row: class of the chosen node or of a pass, as label codes, or of a local recoding, by its number, with its rows and whether it fails
with classes as (
    select
        "age_1",
        "sex_0",
        "town_2",
        cast(sum(_persons) as bigint) as _persons,
        cast(sum(_primary_persons) as bigint) as _primary_persons,
        cast(sum(_rows) as bigint) as _rows
    from (
        select
            "age_1",
            "sex_0",
            "town_2",
            _persons,
            0 as _primary_persons,
            _persons as _persons_of_one_set,
            _rows
        from combinations
        union all
        select
            "age_1",
            "sex_0",
            "town_2",
            count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _persons,
            count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _primary_persons,
            0 as _persons_of_one_set,
            0 as _rows
        from combination_entities
        group by
            "age_1",
            "sex_0",
            "town_2"
    ) as counted
    group by all
),

class_results as (
with
evaluated_k as (
-- builds: evaluated
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _persons as _achieved_k,
    _persons < 3 as _fails_k
from classes
)

select
    *,
    _fails_k as _fails
from evaluated_k
)

select *
from class_results
