-- builds: distinct_texts
-- reads: records
-- one row: distinct value of a column except NULL, up to a maximum number
select distinct "illness" as _value
from records
where "illness" is not null
limit 100001
