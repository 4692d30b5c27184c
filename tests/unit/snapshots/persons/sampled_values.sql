-- builds: sampled_values
-- reads: records
-- one row: row of a random sample of those that take part, with the columns that may identify directly
select
    "least"
from records
using sample 10000 rows (reservoir, 1)
