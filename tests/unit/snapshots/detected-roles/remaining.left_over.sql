-- builds: remaining
-- reads: remaining, passing
-- one row: distinct set of quasi-identifier values that no pass has released yet, as label codes for each level, with its rows
select *
from remaining
where not exists (
    select 1
    from passing
    where remaining."least_0" is not distinct from passing."least_0"
    and remaining."age_1" is not distinct from passing."age_1"
    and remaining."town_0" is not distinct from passing."town_0"
    and remaining."illness_0" is not distinct from passing."illness_0"
)
