-- builds: expected_members
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, and person with records in it
select distinct
    {{ quasi_identifiers | idents }},
    _person as _entity
from expected_rows
