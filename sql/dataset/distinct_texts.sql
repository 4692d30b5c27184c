-- builds: distinct_texts
-- reads: records
-- one row: distinct value of a column except NULL, up to a maximum number
select distinct {{ column | ident }} as _value
from records
where {{ column | ident }} is not null
limit {{ most }}
