-- builds: holds_missing
-- reads: values_<column>
-- one row: the column: whether it has missing values that are generalized to the top
select coalesce(bool_or(missing), false) as holds_missing
from "values_age"
