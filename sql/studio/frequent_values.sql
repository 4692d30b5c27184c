-- builds: frequent_values
-- reads: records
-- one row: one of the most frequent values of a column, NULL among them, as text, with its rows, and the values and rows of all
with counts as (
    select
        cast({{ column | ident }} as varchar) as _value,
        cast(count(*) as bigint) as _rows
    from records
    group by
        _value
)

select
    _value,
    _rows,
    cast(count(*) over () as bigint) as _all_values,
    cast(sum(_rows) over () as bigint) as _all_rows
from counts
order by
    _rows desc,
    _value
limit {{ most }}
