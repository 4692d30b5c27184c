-- builds: verdicts
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, decided_entropies)
-- one row: class of the chosen node, as label codes, with its rows and whether it fails
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
-- builds: verdicts
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, which fails if it fails another model, or if it is one of the smallest classes that must fail so that the mean over rows of 1 / size is small enough
with judged as (
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
),

counted as (
    select
        *,
        sum(1) filter (where not _fails) over () as _expected_left,
        sum(_rows) filter (where not _fails) over () as _rows_left,
        coalesce(sum(1) filter (where not _fails) over smaller, 0) as _smaller_expected,
        coalesce(sum(_rows) filter (where not _fails) over smaller, 0) as _smaller_rows
    from judged
    window smaller as (order by _rows, "age_1", "sex_0", "town_2" rows between unbounded preceding and 1 preceding)
),

final as (
    select
        * exclude (_expected_left, _rows_left, _smaller_expected, _smaller_rows) replace (
            _fails or (_expected_left - _smaller_expected) * cast(5 as hugeint) > (_rows_left - _smaller_rows) * cast(2 as hugeint) as _fails
        )
    from counted
)

select * from final
)

select * from verdicts
