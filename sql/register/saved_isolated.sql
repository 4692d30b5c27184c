-- builds: saved_isolated
-- reads: isolated
-- one row: set of values, or person, whose records are suppressed because registered releases would isolate them
select *
from isolated
