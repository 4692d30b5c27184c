-- builds: expected_groups
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, with its rows and the fingerprints of their cells
select
    "least",
    "age",
    "town",
    "illness",
    cast(count(*) as bigint) as _rows
from expected_rows
group by
    "least",
    "age",
    "town",
    "illness"
