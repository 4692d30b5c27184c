-- builds: distinct_texts
-- reads: records
-- one row: distinct value of a column, NULL left out, up to a number of them
select distinct "illness" as _value
from records
where "illness" is not null
limit 100001
