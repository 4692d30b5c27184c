-- builds: saved_isolated
-- reads: isolated or isolated_<column>
-- one row: set of values, or person, whose records are suppressed because the release would isolate them
select *
from {{ relation | ident }}
