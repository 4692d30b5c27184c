-- builds: expected_population
-- reads: population, recoding_<column> (perhaps placements, regions, aggregates, ranges_<column>)
-- one row: set of labels that the recoding gives to the population, with its rows
select
    "recoding_age".label as "age",
    "recoding_sex".label as "sex",
    "recoding_town".label as "town",
    cast(count(*) as bigint) as _population
from population
join "recoding_age"
    on population."age" is not distinct from "recoding_age".value
join "recoding_sex"
    on population."sex" is not distinct from "recoding_sex".value
join "recoding_town"
    on population."town" is not distinct from "recoding_town".value

group by
    "recoding_age".label,
    "recoding_sex".label,
    "recoding_town".label
