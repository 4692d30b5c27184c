-- builds: open
-- reads: spans
-- one row: the partitions that may be cut: their number, and the sets of quasi-identifier values in them
select
    count(*) as partitions,
    cast(coalesce(sum(_cells), 0) as bigint) as cells
from spans
