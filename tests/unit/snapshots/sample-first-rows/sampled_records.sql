-- builds: sampled_records
-- reads: records
-- one row: input row that takes part, or row of a sample of these: the values of retained columns and of quasi-identifiers
select
    "pay" as _retained_0
from records
limit 8
