-- builds: counted
-- reads: values_<column>
-- one row: the column: its values except missing ones, and their rows
select
    count(*) as present,
    coalesce(sum(_rows), 0) as rows
from "values_least"
where value is not null
    and not missing
