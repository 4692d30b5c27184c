-- builds: population_rows
-- reads: population
-- one row: the population, with its rows
select cast(count(*) as bigint) as _rows
from population
