-- builds: notable_losses
-- reads: value_losses
-- one row: value of a column with few values, or value of another column whose rows are all suppressed: the number of values of the column, the text, its rows, and its suppressed rows
with numbered as (
    select
        *,
        count(*) over (partition by _attribute) as _values
    from value_losses
)

select
    _attribute,
    _values,
    coalesce({% for number in numbers %}cast(_value_{{ number }} as varchar){{ ", " if not loop.last }}{% endfor %}) as _text,
    _rows,
    _suppressed
from numbered
where _attribute in ({% for number in numbers %}{{ number }}{{ ", " if not loop.last }}{% endfor %})
    and (_values <= {{ few }} or (_suppressed = _rows and _rows >= {{ least_rows }}))
order by
    _attribute,
    _text nulls last
