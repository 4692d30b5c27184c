-- builds: unsuppressed
-- reads: unsuppressed_below
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows; those that left on a path down the lattice are missing
select *
from unsuppressed_below
