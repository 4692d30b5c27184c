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
-- one row: class, which fails if the distance between the distributions of its sensitive values and of the table exceeds t, along their hierarchy (Li et al. 2007)
with branches as (
    select
        _class,
        1 as level,
        _label_1 as label,
        max(_class_rows) as _rows,
        max(_all_rows) as _all_rows,
        max(_table_rows_1) as _table_rows,
        sum(_value_rows) as _value_rows,
        sum(cast(_value_rows as hugeint)) * max(_all_rows) - cast(max(_table_rows_0) as hugeint) * max(_class_rows) as excess
    from value_counts_1
    group by
        _class,
        _label_1,
        _label_0
),

nodes as (
    select
        _class,
        level,
        max(_rows) as _rows,
        max(_all_rows) as _all_rows,
        sum(greatest(excess, 0)) as above,
        sum(greatest(excess, 0)) - (sum(cast(_value_rows as hugeint)) * max(_all_rows) - cast(max(_table_rows) as hugeint) * max(_rows)) as below
    from branches
    group by
        _class,
        level,
        label
),

distances as (
    select
        _class,
        max(_rows) as _rows,
        max(_all_rows) as _all_rows,
        sum(level * least(above, below)) as distance
    from nodes
    group by
        _class
)

select
    _class,
    distance / (cast(_rows as double) * _all_rows * 1) as _achieved,
    distance * 5 > cast(_rows as hugeint) * _all_rows * 2 as _fails
from distances
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

select * from verdicts
