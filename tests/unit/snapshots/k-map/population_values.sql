-- builds: population_values
-- reads: population
-- one row: quasi-identifier and distinct value in the population
select
    case
        when grouping("age") = 0 then 0
        when grouping("sex") = 0 then 1
        when grouping("town") = 0 then 2
    end as _attribute,
    "age",
    "sex",
    "town"
from population
group by grouping sets (("age"), ("sex"), ("town"))
