-- builds: reference_<column>
-- reads: value_groups_<column> (perhaps hierarchy_<column>)
-- one row: sensitive value, as text, with its rows (or persons) in the whole source, and those of all values up to it
with present as (
    select
        cast(groups._value as varchar) as _value,
        min(list_position(['none', 'flu', 'gout'], cast(groups._value as varchar))) as place,
        cast(sum(groups._rows) as bigint) as _table_rows
    from "value_groups_illness" as groups
    group by cast(groups._value as varchar)
),

counted as (
    select
        present.*
    from present
),

placed as (
    select
        *,
        cast(row_number() over (order by place, _value nulls last) as bigint) as _position
    from counted
),

reached as (
    select
        *,
        cast(sum(_table_rows) over (order by _position) as bigint) as _cumulative_rows
    from placed
),

final as (
    select
        _value,
        _table_rows,
        _position,
        _cumulative_rows,
        cast(sum(_cumulative_rows) over (order by _position) as hugeint) - _cumulative_rows as _reached_before,
        cast(sum(_table_rows) over () as bigint) as _all_rows,
        cast(sum(_table_rows) over () as bigint) as _all_pairs,
        count(*) over () as _values,
        cast(sum(_cumulative_rows) over () as hugeint) as _all_reached
    from reached
)

select * from final
