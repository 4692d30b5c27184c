-- builds: written_achieved
-- reads: written_classes (perhaps written_histogram_<column>, written_shares_<column>, reference_<column>, decided_entropies)
-- one row: the written file: for each model, the minimum and maximum that its classes achieve
with verdicts as (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
numbered as materialized (
    select
        *,
row_number() over () as _class
    from written_classes
),

value_counts_1 as materialized (
    select
        numbered._class,
        histogram._value_rows,
        numbered._rows as _class_rows,
        shares.* exclude (_value)
    from "written_histogram_illness" as histogram
    join numbered
        on histogram."age" is not distinct from numbered."age"
    and histogram."sex" is not distinct from numbered."sex"
    and histogram."town" is not distinct from numbered."town"
    join "reference_illness" as shares
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

select
    min(_achieved_1) as least_1,
    max(_achieved_1) as most_1,
    min(_achieved_2) as least_2,
    max(_achieved_2) as most_2,
    0 as required_k,
    coalesce(sum(1), 0) as expected,
    coalesce(sum(_rows), 0) as _rows
from verdicts
