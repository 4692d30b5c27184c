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

histogram_1 as (
-- builds: histogram_at
-- reads: sensitive_<column>
-- one row: equivalence class of a node and sensitive value in it, as codes, with its rows
select
    "age_1",
    "sex_0",
    "town_2",
    _value,
    cast(sum(_value_rows) as bigint) as _value_rows
from "sensitive_illness"
group by
    "age_1",
    "sex_0",
    "town_2",
    _value
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
        on histogram."age_1" is not distinct from numbered."age_1"
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
-- one row: class, which fails if the share of a sensitive value is at least 2^delta times its share in the table, or at most 2^-delta times (Brickell, Shmatikov 2008)
with compared as (
    select
        *,
        cast(_value_rows as hugeint) * _all_rows >= cast(_table_rows as hugeint) * _class_rows * 4 as is_frequent,
        cast(_table_rows as hugeint) * _class_rows >= cast(_value_rows as hugeint) * _all_rows * 4 as is_rare
    from value_counts_1
),

measures as (
    select
        _class,
        count(*) as present,
        max(_values) as _values,
        max(abs(log2(cast(_value_rows as hugeint) * _all_rows / (cast(_table_rows as double) * _class_rows)))) as most,
        min(_value_rows * cast(_all_rows as double) / _table_rows) * pow(2, 2) as bound_rows,
        bool_or(is_frequent or is_rare) as _fails
    from compared
    group by
        _class
)

select
    _class,
    case when present = _values then most else cast('inf' as double) end as _achieved,
    _fails or present < _values as _fails,
    case when present < _values then 0 else cast(floor(least(bound_rows, 1e18) + 1e-6) as hugeint) end as _most_passing
from measures
),

judged_2 as (
    select
        classes.*,
        measured._achieved as _achieved_2,
        measured._fails as _fails_2,
        measured._most_passing as _most_passing_2
    from judged_1 as classes
    join measured_2 as measured
        on classes._class = measured._class
)

select
    * exclude (_class),
    _fails_1 or _fails_2 as _fails
from judged_2
)

select * from verdicts
