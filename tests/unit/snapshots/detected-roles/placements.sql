-- builds: placements
-- reads: cells, regions (perhaps positions_<column>)
-- one row: distinct set of quasi-identifier values, as label codes, with its released region and class
select
    cells._cell,
    "positions_least".code as "least",
    "positions_age".code as "age",
    "positions_sex".code as "sex",
    "positions_town".code as "town",
    "positions_illness".code as "illness",
    "positions_pay".code as "pay",
    cells._rows,
    regions._region,
    regions._class_number
from cells
join regions
    on cells._partition = regions._region
join "positions_least"
    on cells."least" = "positions_least".position
join "positions_age"
    on cells."age" = "positions_age".position
join "positions_sex"
    on cells."sex" = "positions_sex".position
join "positions_town"
    on cells."town" = "positions_town".position
join "positions_illness"
    on cells."illness" = "positions_illness".position
join "positions_pay"
    on cells."pay" = "positions_pay".position
