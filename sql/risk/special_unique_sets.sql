-- builds: special_unique_sets
-- reads: special_uniques
-- one row: set of columns (a bit each), with the records that are alone with their values of it, and not with those of fewer
select
    mask,
    count(*) as records
from special_uniques
group by
    mask
order by mask
