-- builds: listed_cells
-- reads: remaining
-- one row: distinct set of quasi-identifier values that no pass has released yet: its number, its rows and its label codes for each level
select
    _cell,
    _rows,
    "age_0",
    "age_1",
    "age_2",
    "age_3",
    "sex_0",
    "sex_1",
    "town_1",
    "town_2"
from remaining
