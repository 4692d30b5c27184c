-- builds: expected_histogram_<column>
-- reads: expected_value_groups_<column>
-- one row: set of labels that the recoding gives to the source, and sensitive value, with its rows, or the persons who have it
select
    groups."age",
    groups."sex",
    groups."town",
    cast(groups._value as varchar) as _value,
    cast(sum(groups._value_rows) as bigint) as _value_rows
from "expected_value_groups_illness" as groups
group by
    groups."age",
    groups."sex",
    groups."town",
    cast(groups._value as varchar)
