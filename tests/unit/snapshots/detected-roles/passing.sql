-- builds: passing
-- reads: remaining (perhaps cell_entities, cell_values_<column>, cell_value_entities_<column>, shares_<column>, decided_entropies)
-- one row: class of a pass over the remaining rows that satisfies the requirement; a class with population rows only is judged as if it had one row
with classes as (
    select
        "least_0",
        "age_1",
        "town_0",
        "illness_0",
        cast(sum(_rows) as bigint) as _rows
    from remaining
    group by
        "least_0",
        "age_1",
        "town_0",
        "illness_0"
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

select *
from verdicts
where not _fails
