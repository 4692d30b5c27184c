-- builds: first_row
-- reads: source
-- one row: the input: whether it has a row; reads one cell of every column, so that an unreadable column fails early
select count(to_json(struct(*))) as rows_read
from (
    select *
    from source
    limit 1
) as cells
