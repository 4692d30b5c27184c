-- builds: sampled_records
-- reads: records, or row_sample
-- one row: input row that takes part, or row of a sample of these: the values of retained columns and of quasi-identifiers
select
    "person" as _retained_0,
    "least" as _retained_1,
    "sex" as _value_0
from row_sample
