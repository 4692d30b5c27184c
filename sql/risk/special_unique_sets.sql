-- builds: special_unique_sets
-- reads: special_uniques
-- one row: set of columns (one bit per column), with the records that are unique by it and by no subset of it
select
    mask,
    count(*) as records
from special_uniques
group by
    mask
order by mask
