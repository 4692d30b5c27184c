-- builds: written_value_groups_<column>
-- reads: release
-- one row: set of quasi-identifier values in the file that was written, and sensitive value, as they stand there, with its rows
select
    "age",
    "sex",
    "town",
    "illness" as _value,
    cast(count(*) as bigint) as _value_rows
from release
group by
    "age",
    "sex",
    "town",
    "illness"
