-- builds: source
-- reads: source_file
-- one row: input row, as read
select *
from source_file
