-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values in the file that was written, as they stand there, with its rows
select
    "sex",
    cast(count(*) as bigint) as _rows
from release
group by
    "sex"
