-- builds: most_codes
-- reads: cells
-- one row: cells: the greatest code of each quasi-identifier
select
    max(greatest("least_0", "least_1")),
    max(greatest("age_0", "age_1")),
    max(greatest("town_0", "town_1")),
    max(greatest("illness_0", "illness_1"))
from cells
