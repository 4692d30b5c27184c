-- builds: expected_members
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, and person with records in it, with these rows
select
    "age",
    "sex",
    "town",
    _entity,
    cast(count(*) as bigint) as _rows
from expected_rows
group by all
