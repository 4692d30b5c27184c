-- builds: records
-- reads: source
-- one row: input row that takes part, after the rule for missing values
select
    "name",
    "person",
    "least",
    "age",
    "sex",
    "town",
    "illness",
    "pay"
from source
