-- builds: written_value_groups_<column>
-- reads: release
-- one row: set of quasi-identifier values and sensitive value as written in the output file, with its rows
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
