-- builds: extents
-- reads: cells
-- one row: uncut partition, with the first and last position of each attribute in it
select
    _partition,
    min("age") as _low_1,
    max("age") as _high_1,
    min("sex") as _low_2,
    max("sex") as _high_2,
    min("town") as _low_3,
    max("town") as _high_3
from cells
group by _partition
