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
    from {{ model.value_counts }}
    window by_value as (partition by _class order by _position)
),

crossings as (
    select
        runs.*,
        greatest(runs.first - 1, least(runs.last, coalesce(shares._position, 0))) as crossed,
        case
            when shares._position is null or shares._position < runs.first then runs.before
            when shares._position > runs.last then runs.behind
            else shares._reached_before + shares._reach
        end as reached
    from runs
    asof left join {{ model.shares | ident }} as shares
        on (runs.level - 1) // runs._class_rows >= shares._reach
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
