-- builds: value_bins
-- reads: records
-- one row: range of a column of numbers or dates, all of equal width, or NULL, with its least and greatest value as text, and its rows
with positions as (
    select
        {{ column | ident }} as _value,
        {% if is_date %}
        epoch(cast({{ column | ident }} as timestamp)) as _position
        {% else %}
        cast({{ column | ident }} as double) as _position
        {% endif %}
    from records
),

ends as (
    select
        min(_position) as _least,
        max(_position) as _greatest
    from positions
    where isfinite(_position)
)

select
    cast(min(positions._value) as varchar) as _from,
    cast(max(positions._value) as varchar) as _to,
    cast(count(*) as bigint) as _rows
from positions
cross join ends
group by
    case
        when isfinite(_position) then least(floor((_position - _least) / nullif(_greatest - _least, 0) * {{ bins }}), {{ bins }} - 1)
    end,
    positions._value is null
order by
    positions._value is null,
    min(positions._value)
