-- builds: node
-- reads: combinations or class_results (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: the node, or the local recoding: its classes, and the rows of its failing classes
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
    coalesce(sum(_rows) filter (where _fails), 0) as least_below,
    0 as doubtful
from class_results
