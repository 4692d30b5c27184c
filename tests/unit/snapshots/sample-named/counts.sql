-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, with its rows
select
    "values_sex".code as "sex",
    cast(count(*) as bigint) as _rows
from records
join "values_sex"
    on records."sex" is not distinct from "values_sex".value
group by
    "values_sex".code
