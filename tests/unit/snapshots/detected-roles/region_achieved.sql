-- builds: region_achieved
-- reads: verdicts
-- one row: the recoding: for each model, the minimum and maximum that the released classes achieve
select
    min(_achieved_1) as least_1,
    max(_achieved_1) as most_1,
    0 as required_k,
    count(*) as classes,
    coalesce(sum(_rows), 0) as _counted
from verdicts
where not _fails
