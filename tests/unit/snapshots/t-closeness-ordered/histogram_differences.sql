-- builds: histogram_differences
-- reads: expected_classes, written_histogram_<column>, expected_histogram_<column> (perhaps ranges_<column>, recoding_<column>, reference_<column>, decided_entropies)
-- one row: class and sensitive value that differ between the written file and the source
with verdicts as (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
numbered as materialized (
    select
        *,
row_number() over () as _class
    from expected_classes
),

value_counts_1 as materialized (
    select
        numbered._class,
        histogram._value_rows,
        numbered._rows as _class_rows,
        shares.* exclude (_value)
    from "expected_histogram_illness" as histogram
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
-- reads: value_counts, shares_<column>
-- one row: class, which fails if the distance between the distributions of its sensitive values and of the table exceeds t; adjacent values are one step apart (Li et al. 2007)
with runs as (
    select
        _class,
        _class_rows,
        _all_rows,
        _values,
        _position as first,
        lead(_position, 1, _values + 1) over by_value - 1 as last,
        sum(cast(_value_rows as hugeint)) over by_value * _all_rows as level,
        _reached_before as before,
        lead(_reached_before, 1, _all_reached) over by_value as behind,
        row_number() over by_value = 1 as is_first
    from value_counts_1
    window by_value as (partition by _class order by _position)
),

-- an as-of join, which the recursive statement of adversaries may not have: the last value that the table reaches no later than a run
reaches as (
    select
        *,
        (level - 1) // _class_rows as reach,
        cast(null as bigint) as position,
        cast(null as hugeint) as reached
    from runs
    union all by name
    select
        _reach as reach,
        _position as position,
        _reached_before + _reach as reached
    from "reference_illness"
),

latest as (
    select
        * exclude (reach) replace (
            max(position) over by_reach as position,
            max(reached) over by_reach as reached
        )
    from reaches
    window by_reach as (order by reach, _class is not null rows between unbounded preceding and current row)
),

crossings as (
    select
        * exclude (position) replace (
            case
                when position is null or position < first then before
                when position > last then behind
                else reached
            end as reached
        ),
        greatest(first - 1, least(last, coalesce(position, 0))) as crossed
    from latest
    where _class is not null
),

distances as (
    select
        _class,
        max(_class_rows) as _rows,
        max(_all_rows) as _all_rows,
        greatest(1, max(_values) - 1) as steps,
        sum(
            (2 * crossed - first + 1 - last) * level
            + (before + behind - 2 * reached) * _class_rows
            + case when is_first then before * _class_rows else 0 end
        ) as distance
    from crossings
    group by
        _class
)

select
    _class,
    distance / (cast(_rows as double) * _all_rows * steps) as _achieved,
    distance * 5 > cast(_rows as hugeint) * _all_rows * steps * 2 as _fails
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
),

expected as (
    select
        verdicts."age",
        verdicts."sex",
        verdicts."town",
        histogram._value,
        cast(sum(histogram._value_rows) as bigint) as _value_rows
    from "expected_histogram_illness" as histogram
    join verdicts
        on histogram."age" is not distinct from verdicts."age"
    and histogram."sex" is not distinct from verdicts."sex"
    and histogram."town" is not distinct from verdicts."town"
    where not verdicts._fails
    group by all
)

select
    written._value_rows as written_rows,
    expected._value_rows as expected_rows
from "written_histogram_illness" as written
full outer join expected
    on written."age" is not distinct from expected."age"
    and written."sex" is not distinct from expected."sex"
    and written."town" is not distinct from expected."town"
    and written._value is not distinct from expected._value
where written._value_rows is distinct from expected._value_rows
