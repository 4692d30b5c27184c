-- builds: verdicts
-- reads: placements (perhaps regions, class_members, cell_entities, class_values_<column>, shares_<column>, decided_entropies)
-- one row: class of a local recoding, by its number, with its rows and whether it fails
with classes as (
    select
        "_class_number",
        cast(sum(_rows) as bigint) as _rows
    from placements
    group by
        "_class_number"
    having sum(_rows) > 0
),

verdicts as (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
judged_1 as (
-- builds: judged
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
from judged_1
)

select * from verdicts
