-- builds: failing_labels
-- reads: combinations (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: quasi-identifier and label code of a node, with the rows of failing classes under the label
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
evaluated_1 as (
-- builds: evaluated
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
from evaluated_1
)

select
    case
        when grouping("age_1") = 0 then 0
        when grouping("sex_0") = 0 then 1
        when grouping("town_2") = 0 then 2
    end as attribute,
    coalesce("age_1", "sex_0", "town_2") as code,
    cast(sum(_rows) as bigint) as _rows
from class_results
where _fails
group by grouping sets (("age_1"), ("sex_0"), ("town_2"))
