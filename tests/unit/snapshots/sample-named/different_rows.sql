-- builds: different_rows
-- reads: sampled_records
-- one row: the sample: its rows, and its different rows
select
    count(*) as _rows,
    count(distinct hash(_retained_0, _retained_1, _retained_2)) as whole_rows
from sampled_records
