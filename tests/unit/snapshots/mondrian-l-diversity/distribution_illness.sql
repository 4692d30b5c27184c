-- builds: distribution_<column>
-- reads: values_<column> (perhaps value_persons_<column>, hierarchy_<column>)
-- one row: sensitive value, as a code, with its rows (or persons) in the whole table, and those of all values up to it
with counted as (
    select
        present.code as _value,
        list_position(['none', 'flu', 'gout'], present.text) as place,
        present._rows as _table_rows
    from "values_illness" as present
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
