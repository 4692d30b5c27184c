-- builds: sampled_records
-- reads: records, or row_sample
-- one row: input row that takes part, or row of a sample of these: the values of retained columns and of quasi-identifiers
select
    "illness" as _retained_0,
    "pay" as _retained_1,
    "pay" as _retained_2,
    "age" as _value_0,
    "sex" as _value_1,
    "town" as _value_2
from records
