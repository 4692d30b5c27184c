-- builds: written_shares_<column>
-- reads: written_histogram_<column>, reference_<column>
-- one row: sensitive value, as text, with its rows in the written file, and the rows of all values up to it
with counted as (
    select
        reference._value,
        reference._position as place,
        cast(sum(histogram._value_rows) as bigint) as _table_rows
    from "written_histogram_illness" as histogram
    join "reference_illness" as reference
        on histogram._value is not distinct from reference._value
    group by
        reference._value,
        reference._position
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
        cast(sum(_table_rows) over (order by _position) as bigint) as _reach
    from placed
),

final as (
    select
        _value,
        _table_rows,
        _position,
        _reach,
        cast(sum(_reach) over (order by _position) as hugeint) - _reach as _reached_before,
        cast(sum(_table_rows) over () as bigint) as _all_rows,
        cast(sum(_table_rows) over () as bigint) as _all_pairs,
        count(*) over () as _values,
        cast(sum(_reach) over () as hugeint) as _all_reached
    from reached
)

select * from final
