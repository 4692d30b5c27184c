-- builds: cells
-- reads: combinations, positions_<column>
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select
    row_number() over () as _cell,
    cast(1 as bigint) as _partition,
    "positions_least".position as "least",
    "positions_age".position as "age",
    "positions_sex".position as "sex",
    "positions_town".position as "town",
    "positions_illness".position as "illness",
    "positions_pay".position as "pay",
    cast(sum(combinations._rows) as bigint) as _rows
from combinations
join "positions_least"
    on combinations."least_0" = "positions_least".code
join "positions_age"
    on combinations."age_0" = "positions_age".code
join "positions_sex"
    on combinations."sex_0" = "positions_sex".code
join "positions_town"
    on combinations."town_0" = "positions_town".code
join "positions_illness"
    on combinations."illness_0" = "positions_illness".code
join "positions_pay"
    on combinations."pay_0" = "positions_pay".code
group by
    "positions_least".position,
    "positions_age".position,
    "positions_sex".position,
    "positions_town".position,
    "positions_illness".position,
    "positions_pay".position
