-- builds: sampled_records
-- reads: records
-- one row: input row that takes part, or row of a sample of these: the values of retained columns and of quasi-identifiers
select
    "least" as _kept_0,
    "age" as _kept_1,
    "sex" as _kept_2,
    "town" as _kept_3,
    "illness" as _kept_4,
    "pay" as _kept_5
from records
