-- builds: sampled_records
-- reads: records
-- one row: input row that takes part, or row of a sample of these: the values of retained columns and of quasi-identifiers
select
    "person" as _retained_0,
    "least" as _retained_1,
    "illness" as _retained_2,
    "pay" as _retained_3,
    "person" as _retained_4,
    "least" as _retained_5,
    "pay" as _retained_6,
    "age" as _value_0,
    "town" as _value_1
from records
using sample 61.538462% (bernoulli, 1)
