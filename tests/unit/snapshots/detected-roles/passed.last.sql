-- builds: passed
-- reads: remaining
-- one row: distinct set of quasi-identifier values, by its number, and the pass that releases it
select
    _cell,
    15 as _pass
from remaining
