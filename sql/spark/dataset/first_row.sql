-- builds: first_row
-- reads: source
-- one row: the input: whether it has a row; reads a cell of every column, so that one that cannot be read is met before any work
select count(to_json(struct(*))) as rows_read
from (
    select *
    from source
    limit 1
) as cells
