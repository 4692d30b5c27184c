-- builds: survivor_rows
-- reads: survivors_below
-- one row: the rows that are left after a step down the lattice
select cast(coalesce(sum(_rows), 0) as bigint) as survivor_rows
from survivors_below
