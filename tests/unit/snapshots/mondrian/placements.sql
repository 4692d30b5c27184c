-- builds: placements
-- reads: cells, regions (perhaps positions_<column>)
-- one row: distinct set of quasi-identifier values, as label codes, with its released region and class
select
    cells._cell,
    "positions_age".code as "age",
    "positions_sex".code as "sex",
    "positions_town".code as "town",
    cells._rows,
    regions._region,
    regions._class_number
from cells
join regions
    on cells._partition = regions._region
join "positions_age"
    on cells."age" = "positions_age".position
join "positions_sex"
    on cells."sex" = "positions_sex".position
join "positions_town"
    on cells."town" = "positions_town".position
