-- builds: first_values
-- reads: records
-- one row: one of the first rows that take part, with the columns that may identify directly
select
    "name",
    "least"
from records
limit 10000
