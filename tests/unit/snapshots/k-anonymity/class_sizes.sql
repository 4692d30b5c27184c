-- builds: class_sizes
-- reads: classes
-- one row: class size, with the number of classes of this size and their rows
select
    _rows as size,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from combinations
where
    _rows > 0
group by
    _rows
order by size
