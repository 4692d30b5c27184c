-- builds: protected_<column>
-- reads: combinations
-- one row: distinct set of quasi-identifier values, as label codes a level, and the protected one of them, as the code of its least label, with its rows
select
    "age_0",
    "age_1",
    "age_2",
    "age_3",
    "sex_0",
    "sex_1",
    "town_1",
    "town_2",
    "sex_0" as _value,
    _rows as _value_rows
from combinations
where _rows > 0
