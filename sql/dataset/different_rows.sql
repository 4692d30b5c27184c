-- builds: different_rows
-- reads: sampled_records
-- one row: the sample: its rows, and its different rows
select
    count(*) as _rows,
    count(distinct hash({% for number in whole %}_retained_{{ number }}{{ ", " if not loop.last }}{% endfor %})) as whole_rows
from sampled_records
