-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: its text, and the top
select
    text as value,
    text as level_0,
    '*' as level_1
from "values_age"
where value is not null and not missing
