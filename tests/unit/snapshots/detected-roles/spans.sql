-- builds: spans
-- reads: cells, partitions
-- one row: partition of the last round that may be cut, with the first and last position of each attribute in it
select
    cells._partition,
    min(cells."least") as _low_1,
    max(cells."least") as _high_1,
    min(cells."age") as _low_2,
    max(cells."age") as _high_2,
    min(cells."sex") as _low_3,
    max(cells."sex") as _high_3,
    min(cells."town") as _low_4,
    max(cells."town") as _high_4,
    min(cells."illness") as _low_5,
    max(cells."illness") as _high_5,
    min(cells."pay") as _low_6,
    max(cells."pay") as _high_6,
    count(*) as _cells
from cells
join partitions
    on cells._partition = partitions._partition
where partitions._round = 0 and partitions._rows >= 6
group by cells._partition
