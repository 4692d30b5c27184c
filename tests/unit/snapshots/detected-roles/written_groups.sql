-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values as written in the output file, with its rows, the fingerprints of their cells, and the least and the greatest value of linked columns
select
    "least",
    "age",
    "town",
    "illness",
    cast(count(*) as bigint) as _rows
from release
group by
    "least",
    "age",
    "town",
    "illness"
