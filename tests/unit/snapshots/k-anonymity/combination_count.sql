-- builds: combination_count
-- reads: combinations
-- one row: the number of combinations
select count(*) as combination_count
from combinations
