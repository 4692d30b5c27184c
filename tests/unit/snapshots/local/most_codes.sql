-- builds: most_codes
-- reads: cells
-- one row: cells: the greatest code of each quasi-identifier
select
    greatest(max("age_0"), max("age_1"), max("age_2"), max("age_3")),
    greatest(max("sex_0"), max("sex_1")),
    greatest(max("town_1"), max("town_2"))
from cells
