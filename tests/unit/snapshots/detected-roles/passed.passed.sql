-- builds: passed
-- reads: remaining, passing
-- one row: distinct set of quasi-identifier values, by its number, and the pass that releases it
select
    remaining._cell,
    4 as _pass
from remaining
join passing
    on remaining."least_0" is not distinct from passing."least_0"
    and remaining."age_1" is not distinct from passing."age_1"
    and remaining."town_0" is not distinct from passing."town_0"
    and remaining."illness_0" is not distinct from passing."illness_0"
