-- builds: remaining_rows
-- reads: remaining
-- one row: distinct set of quasi-identifier values that no pass has released yet, by its number, and its rows
select
    _cell,
    _rows
from remaining
