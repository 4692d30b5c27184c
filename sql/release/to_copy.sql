-- builds: to_copy
-- reads: release
-- one row: released row, to be written in another form
select *
from release
