-- builds: node
-- reads: combinations (perhaps combination_entities)
-- one row: the node: its classes, and the rows that its failing classes hold
with classes as (
-- builds: classes_at
-- reads: combinations (perhaps combination_entities)
-- one row: equivalence class of a node, as label codes
select
    "age_1",
    "sex_0",
    "town_2",
    cast(sum(_rows) as bigint) as _rows
from combinations
group by
    "age_1",
    "sex_0",
    "town_2"

),

verdicts as (
-- builds: verdicts
-- reads: classes
-- one row: class, which fails where it has fewer than k rows, or persons, or fewer than a record asks for (Samarati 2001, Sweeney 2002)
select
    *,
    _rows < 3 as _fails
from classes
)

select
    count(*) as classes,
    min(_rows) as smallest,
    coalesce(min(_rows) filter (where not _fails), 0) as released_smallest,
    coalesce(max(_rows) filter (where not _fails), 0) as released_largest,
    count(*) filter (where _fails) as failing_classes,
    coalesce(sum(_rows) filter (where _fails), 0) as failing_rows,
    sum(cast(_rows as hugeint) * _rows) as squares,
    coalesce(sum(cast(_rows as hugeint) * _rows) filter (where not _fails), 0) as released_squares
from verdicts
