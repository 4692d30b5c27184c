-- builds: verdicts
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, decided_entropies)
-- one row: class of the chosen node, as label codes, with its rows and whether it fails
with classes as (
-- builds: classes_at
-- reads: combinations
-- one row: equivalence class of a node, as label codes
select
    "age_3",
    "sex_0",
    "town_2",
    cast(sum(_population) as bigint) as _population,
    cast(sum(_rows) as bigint) as _rows
from combinations
group by
    "age_3",
    "sex_0",
    "town_2"
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
),

judged_2 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if its rows, as a share of the population's rows in the class, are outside the bounds (Nergiz, Atzori, Clifton 2007)
select
    *,
    case when _population > 0 then _rows / cast(_population as double) else cast('inf' as double) end as _achieved_2,
    cast(_rows as hugeint) * 10 < cast(_population as hugeint) * 1 as _fails_2
from judged_1
),

judged_3 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if its rows, as a share of the population's rows in the class, are outside the bounds (Nergiz, Atzori, Clifton 2007)
select
    *,
    case when _population > 0 then _rows / cast(_population as double) else cast('inf' as double) end as _achieved_3,
    cast(_rows as hugeint) * 10 > cast(_population as hugeint) * 9 as _fails_3
from judged_2
)

select
    *,
    _fails_1 or _fails_2 or _fails_3 as _fails
from judged_3
)

select * from verdicts
