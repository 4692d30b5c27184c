-- builds: notable_losses
-- reads: value_losses
-- one row: value of a column of few values, or value of another column that all of its rows are lost with: the values of the column, the text, its rows, and those of them that are suppressed
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
