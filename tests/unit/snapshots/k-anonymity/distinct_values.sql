-- builds: distinct_values
-- reads: records
-- one row: quasi-identifier and distinct value, with its rows
select
    case
        when grouping("age") = 0 then 0
        when grouping("sex") = 0 then 1
        when grouping("town") = 0 then 2
    end as _attribute,
    "age",
    "sex",
    "town",
    cast(count(*) as bigint) as _rows
from records
group by grouping sets (("age"), ("sex"), ("town"))
