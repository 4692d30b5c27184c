-- builds: most_codes
-- reads: cells
-- one row: cells: the greatest code of each quasi-identifier
select
    greatest(max("least_0"), max("least_1")),
    greatest(max("age_0"), max("age_1")),
    greatest(max("town_0"), max("town_1")),
    greatest(max("illness_0"), max("illness_1"))
from cells
