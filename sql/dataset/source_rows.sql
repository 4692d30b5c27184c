-- builds: source_rows
-- reads: source
-- one row: the input: its number of rows
select count(*) as source_rows
from source
