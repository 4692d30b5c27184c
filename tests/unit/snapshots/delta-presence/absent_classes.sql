-- builds: absent_classes
-- reads: combinations
-- one row: class of the population at a node that has no row of the table
select
    cast(sum(_population) as bigint) as _population
from combinations
group by
    "age_3",
    "sex_1",
    "town_2"
having sum(_rows) = 0
