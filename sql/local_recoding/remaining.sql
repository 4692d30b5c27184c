-- builds: remaining
-- reads: cells or packed_cells
-- one row: distinct set of quasi-identifier values that no pass has released yet, as label codes for each level, with its rows
select *
from {{ relation | ident }}
