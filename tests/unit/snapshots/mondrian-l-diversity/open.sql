-- builds: open
-- reads: spans, partitions
-- one row: the partitions that may be cut: their number, their sets of quasi-identifier values, and their share of all rows
select
    count(*) as partitions,
    cast(coalesce(sum(spans._cells), 0) as bigint) as cells,
    coalesce(sum(partitions._rows), 0) / (select max(_rows) from partitions) as share
from spans
join partitions
    on spans._partition = partitions._partition
