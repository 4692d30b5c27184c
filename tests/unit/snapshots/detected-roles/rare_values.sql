-- builds: rare_values
-- reads: values_<column>
-- one row: the column: for each share of the rows the number of values with fewer rows
with shares as (
    select _rows / sum(_rows) over () as share
    from "values_illness"
    where value is not null
        and not missing
)

select
    count(*) filter (where share < 0.001) as rare_0,
    count(*) filter (where share < 0.002) as rare_1,
    count(*) filter (where share < 0.005) as rare_2,
    count(*) filter (where share < 0.01) as rare_3,
    count(*) filter (where share < 0.02) as rare_4,
    count(*) filter (where share < 0.05) as rare_5,
    count(*) filter (where share < 0.1) as rare_6,
    count(*) filter (where share < 0.2) as rare_7
from shares
