-- builds: total_rows
-- reads: combinations, or survivors_below
-- one row: all rows of the relation
select cast(coalesce(sum(_rows), 0) as bigint) as total_rows
from {{ relation }}
