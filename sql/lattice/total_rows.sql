-- builds: total_rows
-- reads: combinations
-- one row: all combinations: their rows
select cast(coalesce(sum(_rows), 0) as bigint) as total_rows
from combinations
