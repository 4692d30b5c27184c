-- builds: distinct_values
-- reads: distinct_values of a database file
-- one row: distinct value of one column, with its rows
select *
from {{ database | ident }}.main.distinct_values
