-- builds: region_achieved
-- reads: verdicts
-- one row: the recoding: for each model, the minimum and maximum that the released classes achieve
select
    min(_achieved_1) as least_1,
    max(_achieved_1) as most_1,
    0 as required_k,
    coalesce(sum(1), 0) as expected,
    coalesce(sum(_rows), 0) as _rows
from verdicts
where not _fails
