-- builds: written_rows
-- reads: what was written
-- one row: released row, as read back from the file, with numbers or dates instead of the labels of ranges
select *
from (
{{ written }}
) as written
