-- builds: protected_<column>
-- reads: combinations
-- one row: distinct set of quasi-identifier values, as label codes for each level, and its protected value, as the code of the lowest label, with its rows
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
