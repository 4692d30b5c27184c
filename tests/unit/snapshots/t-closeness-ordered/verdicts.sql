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
    from "shares_illness"
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
)

select * from verdicts
