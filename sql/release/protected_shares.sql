-- builds: protected_shares
-- reads: value_losses
-- one row: protected column, by its number, and number of rows that a value of it has: the values with so many rows, and the most of them that one loses
select
    _attribute,
    _rows,
    count(*) as _values,
    max(_suppressed) as _lost
from value_losses
where _attribute in ({% for number in numbers %}{{ number }}{{ ", " if not loop.last }}{% endfor %})
group by
    _attribute,
    _rows
