-- builds: value_groups
-- reads: release or expected_rows
-- one row: set of quasi-identifier values and sensitive value as written in the output file, or set of labels that the recoding gives to the source and value of the source, with its rows
select
    "age",
    "sex",
    "town",
    _value_1 as _value,
    cast(count(*) as bigint) as _value_rows
from expected_rows
group by
    "age",
    "sex",
    "town",
    _value_1
