-- builds: expected_groups
-- reads: expected_rows
-- one row: set of labels that the source gives through the recoding, with its rows and the fingerprints of their cells
select
    "age",
    "sex",
    "town",
    cast(count(*) as bigint) as _rows
from expected_rows
group by
    "age",
    "sex",
    "town"
