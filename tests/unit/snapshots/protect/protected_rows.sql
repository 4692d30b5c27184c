-- builds: protected_rows
-- reads: protected_<column>
-- one row: value of a protected column, as a code, with its rows
select
    _value,
    cast(sum(_value_rows) as bigint) as _rows
from "protected_illness"
group by _value
