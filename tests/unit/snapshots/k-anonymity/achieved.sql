-- builds: achieved
-- reads: combinations or class_results or written_classes (perhaps combination_entities, sensitive_<column>, value_entities_<column>, written_histogram_<column>, distribution_<column>, reference_<column>, written_shares_<column>, entropy_comparisons)
-- one row: the node, the local recoding or the written file: for each model, the minimum and maximum that the released classes achieve, and the classes of the file that fail
with class_results as (
with
evaluated_k as (
-- builds: evaluated
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_k,
    _rows < 3 as _fails_k
from written_classes
)

select
    *,
    _fails_k as _fails
from evaluated_k
)

select
    min(_achieved_k) as least_k,
    max(_achieved_k) as most_k,
    0 as required_k,
    coalesce(sum(1), 0) as expected,
    coalesce(sum(_rows), 0) as _rows,
    count(case when _fails then 1 end) as failing_classes,
    min(case when _fails then _rows end) as smallest_failing
from class_results
