-- builds: unsuppressed
-- reads: remaining
-- one row: distinct set of quasi-identifier values that no pass has released yet, as label codes for each level, with its rows; those that left on a path down the lattice are missing
select *
from remaining
