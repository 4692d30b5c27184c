-- builds: first_row
-- reads: source
-- one row: the input: whether it has a row; reads one cell of every column, so that an unreadable column fails early
select count(hash(cells)) as rows_read
from (
    select *
    from source
    limit 1
) as cells
