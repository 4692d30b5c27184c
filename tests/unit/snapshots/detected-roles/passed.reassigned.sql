-- builds: passed
-- reads: assigned
-- one row: distinct set of quasi-identifier values, by its number, and the pass that releases it
select
    _cell,
    _pass
from assigned
