-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, with its rows
select
    "values_least".code as "least",
    "values_age".code as "age",
    "values_sex".code as "sex",
    "values_town".code as "town",
    "values_illness".code as "illness",
    "values_pay".code as "pay",
    cast(count(*) as bigint) as _rows
from records
join "values_least"
    on records."least" is not distinct from "values_least".value
join "values_age"
    on records."age" is not distinct from "values_age".value
join "values_sex"
    on records."sex" is not distinct from "values_sex".value
join "values_town"
    on records."town" is not distinct from "values_town".value
join "values_illness"
    on records."illness" is not distinct from "values_illness".value
join "values_pay"
    on records."pay" is not distinct from "values_pay".value
group by
    "values_least".code,
    "values_age".code,
    "values_sex".code,
    "values_town".code,
    "values_illness".code,
    "values_pay".code
