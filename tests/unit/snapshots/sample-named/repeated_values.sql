-- builds: repeated_values
-- reads: lookup_<column>
-- one row: value that is listed more than once
select
    value,
    count(*) as lines
from "lookup_sex"
group by value
having count(*) > 1
order by value
