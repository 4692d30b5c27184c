-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, and the same with each value of one more column, with its rows
select
    "values_age".code as "age",
    "values_sex".code as "sex",
    "values_town".code as "town",
    "values_illness".code as _value_1,
    case
        when grouping("values_illness".code) = 0 then 1
        else 0
    end as _attribute,
    cast(count(*) as bigint) as _rows
from records
join "values_age"
    on records."age" is not distinct from "values_age".value
join "values_sex"
    on records."sex" is not distinct from "values_sex".value
join "values_town"
    on records."town" is not distinct from "values_town".value
join "values_illness"
    on records."illness" is not distinct from "values_illness".value
group by grouping sets (
    ("values_age".code, "values_sex".code, "values_town".code),
    ("values_age".code, "values_sex".code, "values_town".code, "values_illness".code)
)
