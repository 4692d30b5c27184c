-- builds: cells
-- reads: combinations, positions_<column>
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select
    row_number() over () as _cell,
    cast(1 as bigint) as _partition,
    "positions_age".position as "age",
    "positions_sex".position as "sex",
    "positions_town".position as "town",
    cast(sum(combinations._rows) as bigint) as _rows
from combinations
join "positions_age"
    on combinations."age_0" = "positions_age".code
join "positions_sex"
    on combinations."sex_0" = "positions_sex".code
join "positions_town"
    on combinations."town_1" = "positions_town".code
group by
    "positions_age".position,
    "positions_sex".position,
    "positions_town".position
