-- builds: unfit_population
-- reads: population_file
-- one row: the population: per quasi-identifier the rows whose number the input's type cannot hold
select
    count(*) filter (where "age" is not null and coalesce(try_cast("age" as BIGINT) <> "age", true)) as unfit_1
from population_file
