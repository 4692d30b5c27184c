-- builds: unfit_population
-- reads: population_file
-- one row: the population: for each quasi-identifier the rows whose number the type in the input cannot hold
select
    count(*) filter (where "age" is not null and coalesce(try_cast("age" as BIGINT) <> "age", true)) as unfit_1
from population_file
