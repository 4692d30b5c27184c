-- builds: null_rows
-- reads: values_<column>
-- one row: the column: its rows without a value, or with a value that means missing
select cast(coalesce(sum(_rows), 0) as bigint) as null_rows
from "values_least"
where value is null
