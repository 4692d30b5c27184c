-- builds: most_codes
-- reads: cells
-- one row: cells: the greatest code of each quasi-identifier
select
    max(greatest("age_0", "age_1", "age_2", "age_3")),
    max(greatest("sex_0", "sex_1")),
    max(greatest("town_1", "town_2"))
from cells
