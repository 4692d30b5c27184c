-- builds: sampled_records
-- reads: records, or row_sample
-- one row: input row that takes part, or row of a sample of these: the values of retained columns and of quasi-identifiers
select
    "least" as _retained_0,
    "age" as _retained_1,
    "sex" as _retained_2,
    "town" as _retained_3,
    "illness" as _retained_4,
    "pay" as _retained_5
from records
