-- builds: passed
-- reads: remaining, passing
-- one row: distinct set of quasi-identifier values, by its number, and the pass that releases it
select
    remaining._cell,
    1 as _pass
from remaining
join passing
    on remaining."age_1" is not distinct from passing."age_1"
    and remaining."sex_0" is not distinct from passing."sex_0"
    and remaining."town_1" is not distinct from passing."town_1"
