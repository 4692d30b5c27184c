-- builds: spans
-- reads: cells (perhaps partitions)
-- one row: partition, with the first and last position of each attribute in it, and its sets of quasi-identifier values
select
    cells._partition,
    min(cells."age") as _low_1,
    max(cells."age") as _high_1,
    min(cells."sex") as _low_2,
    max(cells."sex") as _high_2,
    min(cells."town") as _low_3,
    max(cells."town") as _high_3,
    count(*) as _cells
from cells
group by cells._partition
