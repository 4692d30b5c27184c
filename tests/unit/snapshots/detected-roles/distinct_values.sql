-- builds: distinct_values
-- reads: records
-- one row: quasi-identifier and distinct value, with its rows
select
    case
        when grouping("age") = 0 then 0
    end as _attribute,
    "age",
    cast(count(*) as bigint) as _rows
from records
group by grouping sets (("age"))
