-- builds: passed
-- reads: cells
-- one row: distinct set of quasi-identifier values, by its number, and the pass that releases it
select
    _cell,
    cast(0 as bigint) as _pass
from cells
where false
