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
    coalesce(cast(_value_1 as varchar), cast(_value_2 as varchar)) as _text,
    _rows,
    _suppressed
from numbered
where _attribute in (1, 2)
    and (_values <= 60 or (_suppressed = _rows and _rows >= 5))
order by
    _attribute,
    _text nulls last
