-- builds: sampled_records
-- reads: records
-- one row: input row that takes part, or one of a sample of them: its values that may give others away, and those that must not be
select
    "pay" as _kept_0
from records
limit 8
