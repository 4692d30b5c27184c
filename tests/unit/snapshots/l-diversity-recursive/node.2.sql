-- builds: node
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, decided_entropies)
-- one row: the node: its classes, and the rows of its failing classes
with classes as (
-- builds: classes_at
-- reads: combinations
-- one row: equivalence class of a node, as label codes
select
    "age_3",
    "sex_1",
    "town_2",
    cast(sum(_rows) as bigint) as _rows
from combinations
group by
    "age_3",
    "sex_1",
    "town_2"

),

histogram_1 as (
-- builds: histogram_at
-- reads: sensitive_<column>
-- one row: equivalence class of a node and sensitive value in it, as codes, with its rows
select
    "age_3",
    "sex_1",
    "town_2",
    _value,
    cast(sum(_value_rows) as bigint) as _value_rows
from "sensitive_illness"
group by
    "age_3",
    "sex_1",
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
        on histogram."age_3" is not distinct from numbered."age_3"
    and histogram."sex_1" is not distinct from numbered."sex_1"
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
-- one row: class, which fails if it has fewer than l sensitive values, or if the most frequent value has at least c times the rows of the l-th and all rarer values (Machanavajjhala et al. 2007)
with measures as (
    select
        _class,
        max(_class_rows) as _rows,
        count(*) as present,
        max(_value_rows) as most,
        list_sum(max(_value_rows, 1)) as more_frequent
    from value_counts_1
    group by
        _class
)

select
    _class,
    case when more_frequent < _rows then most / cast(_rows - more_frequent as double) else cast('inf' as double) end as _achieved,
    present < 2
        or cast(most as hugeint) * 1 >= cast(_rows - more_frequent as hugeint) * 3 as _fails,
    case
        when present < 2 then 0
        else _rows - most + greatest(0, cast(_rows - more_frequent as hugeint) * 3 - 1) // 1
    end as _most_passing
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

select
    count(*) as classes,
    min(_rows) as smallest,
    coalesce(min(_rows) filter (where not _fails), 0) as released_smallest,
    coalesce(max(_rows) filter (where not _fails), 0) as released_largest,
    count(*) filter (where _fails) as failing_classes,
    coalesce(sum(_rows) filter (where _fails), 0) as failing_rows,
    sum(cast(_rows as hugeint) * _rows) as squares,
    coalesce(sum(cast(_rows as hugeint) * _rows) filter (where not _fails), 0) as released_squares,
    0 as joining_rows,
    0 as joining_classes,
    coalesce(sum(case
        when _fails_1 then _rows
        when _fails_2 then greatest(1, _rows - case when least(_rows, case when _fails_2 then coalesce(_most_passing_2, _rows) else _rows end) < 3 then 0 else least(_rows, case when _fails_2 then coalesce(_most_passing_2, _rows) else _rows end) end)
        else 0
    end), 0) as least_below,
    0 as doubtful
from verdicts
