-- builds: spans
-- reads: cells, partitions
-- one row: partition of the last round that may be cut, with the first and last position of each attribute in it
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
join partitions
    on cells._partition = partitions._partition
where partitions._round = 0 and partitions._rows >= 6
group by cells._partition
