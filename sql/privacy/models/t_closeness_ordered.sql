-- builds: evaluated
-- reads: value_counts, distribution_<column>
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
    from {{ model.value_counts }}
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
        _cumulative_rows as reach,
        _position as position,
        _reached_before + _cumulative_rows as reached
    from {{ model.shares | ident }}
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
    distance * {{ model.t.denominator }} > cast(_rows as hugeint) * _all_rows * steps * {{ model.t.numerator }} as _fails
from distances
