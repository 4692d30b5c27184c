-- builds: distinct_texts
-- reads: records
-- one row: distinct value of a column, NULL left out, up to a number of them
select distinct {{ column | ident }} as _value
from records
where {{ column | ident }} is not null
limit {{ most }}
