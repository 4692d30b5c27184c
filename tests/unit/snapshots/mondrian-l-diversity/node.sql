-- builds: node
-- reads: combinations or class_results or packed_combinations or packed_sensitive_<column> (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: the node, or each of several nodes by its number, or the local recoding: its classes, and the rows of its failing classes
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
