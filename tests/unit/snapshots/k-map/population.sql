-- builds: population
-- reads: population_file
-- one row: row of the population from which the input is a sample
select
    try_cast("age" as BIGINT) as "age",
    try_cast("sex" as VARCHAR) as "sex",
    try_cast("town" as VARCHAR) as "town"
from population_file
