-- builds: distinct_values
-- reads: records
-- one row: quasi-identifier and distinct value, with its rows
select
    case
        when grouping("age") = 0 then 0
        when grouping("sex") = 0 then 1
        when grouping("town") = 0 then 2
        when grouping("illness") = 0 then 3
    end as _attribute,
    "age",
    "sex",
    "town",
    "illness",
    cast(count(*) as bigint) as _rows
from records
group by grouping sets (("age"), ("sex"), ("town"), ("illness"))
