-- builds: sampled_values
-- reads: records
-- one row: row of a random sample of those that take part, with the columns that may identify directly
select
    {{ columns | idents }}
from records
using sample {{ rows }} rows (reservoir, 1)
