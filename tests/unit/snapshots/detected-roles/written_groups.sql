-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values in the file that was written, as they stand there, with its rows and the fingerprints of their cells
select
    "age",
    "sex",
    "town",
    cast(count(*) as bigint) as _rows
from release
group by
    "age",
    "sex",
    "town"
