-- builds: distinct_values
-- reads: records
-- one row: quasi-identifier and distinct value, with its rows
select
    case
        when grouping("sex") = 0 then 0
    end as _attribute,
    "sex",
    cast(count(*) as bigint) as _rows
from records
group by grouping sets (("sex"))
