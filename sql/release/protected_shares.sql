-- builds: protected_shares
-- reads: value_losses
-- one row: protected column, by its number, and number of rows of a value: the values with this number of rows, and the largest number of rows that one of them loses
select
    _attribute,
    _rows,
    count(*) as _values,
    max(_suppressed) as _lost
from value_losses
where _attribute in ({% for number in numbers %}{{ number }}{{ ", " if not loop.last }}{% endfor %})
group by all
