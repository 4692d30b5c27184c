-- builds: class_sizes
-- reads: classes
-- one row: class size, with the number of classes of this size and their rows
select
    _persons as size,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from verdicts
where
    _rows > 0
    and not _fails
group by
    _persons
order by size
