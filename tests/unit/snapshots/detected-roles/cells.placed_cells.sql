-- builds: cells
-- reads: cells, located, regions
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select
    cells._cell,
    regions._region as _partition,
    cells."least_0",
    cells."age_0",
    cells."town_0",
    cells."illness_0",
    cells._rows
from cells
join located
    on cells._cell = located._cell
join regions
    on located._pass = regions._pass
    and located._code_1 = regions._code_1
    and located._code_2 = regions._code_2
    and located._code_3 = regions._code_3
    and located._code_4 = regions._code_4
