-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, with its rows
select
    "values_age".code as "age",
    "values_sex".code as "sex",
    "values_town".code as "town",
    cast(count(*) as bigint) as _rows
from records
join "values_age"
    on records."age" is not distinct from "values_age".value
join "values_sex"
    on records."sex" is not distinct from "values_sex".value
join "values_town"
    on records."town" is not distinct from "values_town".value
group by
    "values_age".code,
    "values_sex".code,
    "values_town".code
