-- builds: sampled_records
-- reads: records
-- one row: input row that takes part, or row of a sample of these: the values of retained columns and of quasi-identifiers
select
    "person" as _kept_0,
    "least" as _kept_1,
    "illness" as _kept_2,
    "pay" as _kept_3,
    "person" as _kept_4,
    "least" as _kept_5,
    "pay" as _kept_6,
    "age" as _value_0,
    "town" as _value_1
from records
using sample 61.538462% (bernoulli, 1)
