-- builds: extents
-- reads: cells
-- one row: uncut partition, with the first and last position of each attribute in it
select
    _partition,
    min("least") as _low_1,
    max("least") as _high_1,
    min("age") as _low_2,
    max("age") as _high_2,
    min("sex") as _low_3,
    max("sex") as _high_3,
    min("town") as _low_4,
    max("town") as _high_4,
    min("illness") as _low_5,
    max("illness") as _high_5,
    min("pay") as _low_6,
    max("pay") as _high_6
from cells
group by _partition
