-- builds: first_row
-- reads: source
-- one row: the first row of the input, with a cell of every column, so that one that cannot be read is met before any work
select *
from source
limit 1
