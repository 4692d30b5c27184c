-- builds: needy
-- reads: remaining, passing, failing (perhaps cell_entities, cell_values_<column>, cell_value_entities_<column>, shares_<column>, decided_entropies)
-- one row: class of the fallback that no longer satisfies the requirement without the rows of a pass
with rest as (
    select *
    from remaining
    where not exists (
        select 1
        from passing
        where remaining."age_1" is not distinct from passing."age_1"
    and remaining."sex_0" is not distinct from passing."sex_0"
    and remaining."town_1" is not distinct from passing."town_1"
    )
),

classes as (
    select
        "age_3",
        "sex_0",
        "town_2",
        cast(sum(_rows) as bigint) as _rows
    from rest
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
)

select
    *,
    _fails_1 as _fails
from judged_1
)

select *
from verdicts
where _fails
    and not exists (
        select 1
        from failing
        where verdicts."age_3" is not distinct from failing."age_3"
    and verdicts."sex_0" is not distinct from failing."sex_0"
    and verdicts."town_2" is not distinct from failing."town_2"
    )
