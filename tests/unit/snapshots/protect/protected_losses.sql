-- builds: protected_losses
-- reads: combinations, protected_<column> (perhaps combination_entities, sensitive_<column>, shares_<column>, decided_entropies)
-- one row: protected column, by its number, and value, as a code, with its rows in the failing classes of a node
with classes as (
-- builds: classes_at
-- reads: combinations
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

select
    0 as _column,
    protected._value,
    cast(sum(protected._value_rows) as bigint) as _lost
from "protected_illness" as protected
join verdicts
    on protected."age_1" = verdicts."age_1"
    and protected."sex_0" = verdicts."sex_0"
    and protected."town_2" = verdicts."town_2"
where verdicts._fails
group by protected._value
union all
select
    1 as _column,
    protected._value,
    cast(sum(protected._value_rows) as bigint) as _lost
from "protected_sex" as protected
join verdicts
    on protected."age_1" = verdicts."age_1"
    and protected."sex_0" = verdicts."sex_0"
    and protected."town_2" = verdicts."town_2"
where verdicts._fails
group by protected._value
