-- builds: histogram
-- reads: written_value_groups_<column> or expected_value_groups_<column>
-- one row: set of labels in the written file, or of those that the recoding gives to the source, and sensitive value, as text, with its rows or the persons who have it
select
    cast(groups."age" as varchar) as "age",
    cast(groups."sex" as varchar) as "sex",
    cast(groups."town" as varchar) as "town",
    cast(groups._value as varchar) as _value,
    cast(sum(groups._value_rows) as bigint) as _value_rows
from "expected_value_groups_illness" as groups
group by
    cast(groups."age" as varchar),
    cast(groups."sex" as varchar),
    cast(groups."town" as varchar),
    cast(groups._value as varchar)
