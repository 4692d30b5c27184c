-- builds: listed_cells
-- reads: remaining
-- one row: distinct set of quasi-identifier values that no pass has released yet: its number, its rows and its label codes for each level
select
    _cell,
    _rows,
    "least_0",
    "least_1",
    "age_0",
    "age_1",
    "town_0",
    "town_1",
    "illness_0",
    "illness_1"
from remaining
