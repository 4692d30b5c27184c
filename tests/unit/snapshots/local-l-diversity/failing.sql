-- builds: failing
-- reads: remaining (perhaps cell_entities, cell_values_<column>, cell_value_entities_<column>, shares_<column>, decided_entropies)
-- one row: class of the fallback that does not satisfy the requirement at first
with classes as (
    select
        "age_3",
        "sex_0",
        "town_2",
        cast(sum(_rows) as bigint) as _rows
    from remaining
    group by
        "age_3",
        "sex_0",
        "town_2"
    having sum(_rows) > 0
),

histogram_1 as (
    select
        remaining."age_3",
        remaining."sex_0",
        remaining."town_2",
        seen._value,
        cast(sum(seen._value_rows) as bigint) as _value_rows
    from remaining
    join "cell_values_illness" as seen
        on remaining._cell = seen._cell
    group by
        remaining."age_3",
        remaining."sex_0",
        remaining."town_2",
        seen._value
),

verdicts as (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
numbered as materialized (
    select
        *,
row_number() over () as _class
    from classes
),

value_counts_1 as materialized (
    select
        numbered._class,
        histogram._value_rows,
        numbered._rows as _class_rows,
        shares.* exclude (_value)
    from "histogram_1" as histogram
    join numbered
        on histogram."age_3" is not distinct from numbered."age_3"
    and histogram."sex_0" is not distinct from numbered."sex_0"
    and histogram."town_2" is not distinct from numbered."town_2"
    join "shares_illness" as shares
        on histogram._value is not distinct from shares._value
),

judged_1 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_1,
    _rows < 3 as _fails_1
from numbered
),

measured_2 as (
-- builds: judged
-- reads: value_counts
-- one row: class, which fails if it has fewer than l sensitive values, including NULL (Machanavajjhala et al. 2007), or fewer than l values of different persons
with measures as (
    select
        _class,
        count(*) as present
    from value_counts_1
    group by
        _class
)

select
    _class,
    present as _achieved,
    present < 2 as _fails
from measures
),

judged_2 as (
    select
        classes.*,
        measured._achieved as _achieved_2,
        measured._fails as _fails_2
    from judged_1 as classes
    join measured_2 as measured
        on classes._class = measured._class
)

select
    * exclude (_class),
    _fails_1 or _fails_2 as _fails
from judged_2
)

select *
from verdicts
where _fails
