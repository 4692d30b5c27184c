-- builds: visits
-- reads: lattice
-- one row: node that the search visited
select *
from lattice
order by _visit
