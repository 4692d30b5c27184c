-- builds: failing_labels
-- reads: combinations or packed_combinations or packed_sensitive_<column> or swept_classes (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: node of the statement, by its number, quasi-identifier and label code, with the rows of failing classes under the label
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
),

failing as (
    select
        0 as _node,
        "age_1" as _label_1,
        "sex_0" as _label_2,
        "town_2" as _label_3,
        _rows
    from class_results
    where _fails
)

select
    _node,
    case
        when grouping(_label_1) = 0 then 0
        when grouping(_label_2) = 0 then 1
        when grouping(_label_3) = 0 then 2
    end as attribute,
    coalesce(_label_1, _label_2, _label_3) as code,
    cast(sum(_rows) as bigint) as _rows
from failing
group by grouping sets (
    (_node, _label_1), (_node, _label_2), (_node, _label_3)
)
