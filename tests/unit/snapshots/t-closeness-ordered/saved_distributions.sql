-- builds: saved_distributions
-- reads: shares_<column>, values_<column>
-- one row: sensitive column and value, with the rows of the value in the whole table, its position in the order, and its labels
select
    'illness' as sensitive,
    present.text as value,
    shares._table_rows as _rows,
    shares._position as place,
    cast([] as varchar[]) as labels
from "shares_illness" as shares
join "values_illness" as present
    on shares._value = present.code
order by
    sensitive,
    place
