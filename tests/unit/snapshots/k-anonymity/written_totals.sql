-- builds: written_totals
-- reads: written_classes
-- one row: the written file: its rows, classes, and the rows of its smallest and largest class
select
    cast(coalesce(sum(_rows), 0) as bigint) as _rows,
    count(*) as classes,
    coalesce(min(_rows), 0) as smallest,
    coalesce(max(_rows), 0) as largest
from written_classes
