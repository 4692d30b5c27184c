-- builds: node
-- reads: combinations or class_results or packed_combinations or packed_sensitive_<column> (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: the node, or each of several nodes by its number, or the local recoding: its classes, and the rows of its failing classes
with classes as (
    select
        "age_3",
        "sex_1",
        "town_2",
        cast(sum(_rows) as bigint) as _rows
    from combinations
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
    _rows as _achieved_k,
    _rows < 3 as _fails_k
from classes
)

select
    *,
    _fails_k as _fails
from evaluated_k
)

select
    count(*) as classes,
    min(_rows) as smallest,
    coalesce(min(_rows) filter (where not _fails), 0) as released_smallest,
    coalesce(max(_rows) filter (where not _fails), 0) as released_largest,
    count(*) filter (where _fails) as failing_classes,
    coalesce(sum(_rows) filter (where _fails), 0) as failing_rows,
    sum(cast(_rows as hugeint) * _rows) as squares,
    coalesce(sum(cast(_rows as hugeint) * _rows) filter (where not _fails), 0) as released_squares,
    0 as joining_rows,
    0 as joining_classes,
    coalesce(sum(case when _fails then _rows else 0 end), 0) as least_below,
    count(*) filter (where false) as doubtful
from class_results
