-- builds: associations
-- reads: sampled_records
-- one row: two columns: their association, 0 to 1 (Cramer's V without bias; Bergsma, Journal of the Korean Statistical Society 42, 2013)
with grouped as (
    select
        row_number() over () as _record,
        cast(_retained_0 as varchar) as _1,
        cast(_retained_1 as varchar) as _2,
        cast(_retained_2 as varchar) as _3,
        cast(_retained_3 as varchar) as _4,
        cast(_retained_4 as varchar) as _5,
        cast(_retained_5 as varchar) as _6
    from sampled_records
),

cells as (
    select
        _record,
        0 as _column,
        _1 as _group
    from grouped
    union all
    select
        _record,
        1 as _column,
        _2 as _group
    from grouped
    union all
    select
        _record,
        2 as _column,
        _3 as _group
    from grouped
    union all
    select
        _record,
        3 as _column,
        _4 as _group
    from grouped
    union all
    select
        _record,
        4 as _column,
        _5 as _group
    from grouped
    union all
    select
        _record,
        5 as _column,
        _6 as _group
    from grouped
),

margins as (
    select
        _column,
        _group,
        count(*) as _rows,
        count(*) over (partition by _column) as _groups
    from cells
    group by
        _column,
        _group
),

pairs as (
    select
        lefts._column as _left,
        rights._column as _right,
        lefts._group as _left_group,
        rights._group as _right_group,
        count(*) as _rows
    from cells as lefts
    join cells as rights
        on lefts._record = rights._record
        and lefts._column < rights._column
    group by
        _left,
        _right,
        _left_group,
        _right_group
),

contingencies as (
    select
        pairs._left,
        pairs._right,
        sum(pairs._rows) as _rows,
        any_value(lefts._groups) - 1.0 as _left_freedom,
        any_value(rights._groups) - 1.0 as _right_freedom,
        sum(cast(pairs._rows as double) * pairs._rows / (cast(lefts._rows as double) * rights._rows)) - 1 as _phi
    from pairs
    join margins as lefts
        on pairs._left = lefts._column
        and pairs._left_group is not distinct from lefts._group
    join margins as rights
        on pairs._right = rights._column
        and pairs._right_group is not distinct from rights._group
    group by
        pairs._left,
        pairs._right
),

unbiased as (
    select
        *,
        greatest(0, _phi - _left_freedom * _right_freedom / (_rows - 1)) as _phi_unbiased,
        least(_left_freedom - _left_freedom ** 2 / (_rows - 1), _right_freedom - _right_freedom ** 2 / (_rows - 1)) as _freedom
    from contingencies
    where _rows > 1
)

select
    _left,
    _right,
    case when _freedom > 0 then least(1, sqrt(_phi_unbiased / _freedom)) else 0 end as association
from unbiased
order by
    _left,
    _right
