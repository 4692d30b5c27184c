-- builds: part_counts
-- reads: sampled_records
-- one row: the sample: the different values of each column or part
select
    count(distinct hash(_retained_0)) as values_0,
    count(distinct hash(_retained_1)) as values_1,
    count(distinct hash(_retained_2)) as values_2,
    count(distinct hash(_retained_3)) as values_3
from sampled_records
