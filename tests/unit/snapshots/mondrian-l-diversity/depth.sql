-- builds: depth
-- reads: partitions
-- one row: the tree of cuts: its rounds, and the partitions that are not cut
select
    max(_round) as rounds,
    count(*) - count(distinct _parent) as partitions
from partitions
