-- builds: placements
-- reads: cells, regions (perhaps positions_<column>)
-- one row: distinct set of quasi-identifier values, as label codes, with its released region and class
select
    cells._cell,
    cells."age_0" as "age",
    cells."sex_0" as "sex",
    cells."town_1" as "town",
    cells._rows,
    regions._region,
    regions._class_number
from cells
join regions
    on cells._partition = regions._region
