-- builds: node_figures
-- reads: packed_combinations or packed_sensitive_<column> (perhaps distribution_<column>, entropy_comparisons)
-- one row: node of one statement, by its number: its classes, and the rows of its failing classes
with placed as (
    select
        cast(0 as bigint) + "age_1" + "sex_0" as _key,
        _rows
    from "packed_combinations"
    union all
    select
        cast(1 as bigint) + "age_1" + "town_1" as _key,
        _rows
    from "packed_combinations"
    
),

classes as (
    select
        _key,
        _key % 64 as _node,
        cast(sum(_rows) as bigint) as _rows
    from placed
    group by _key
),

class_results as (
with
evaluated_1 as (
-- builds: evaluated
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_1,
    _rows < 3 as _fails_1
from classes
)

select
    *,
    _fails_1 as _fails
from evaluated_1
)

select
    _node,
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
    coalesce(sum(_rows) filter (where _fails), 0) as least_below,
    0 as doubtful

from class_results
group by _node
order by _node
