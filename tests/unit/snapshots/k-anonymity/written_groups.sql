-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values as written in the output file, with its rows, the fingerprints of their cells, and the least and the greatest value of linked columns
select
    "age",
    "sex",
    "town",
    sum(hash(hash("illness", case when not isnan("pay") then "pay" end, isnan("pay"), not isnan("pay") and signbit("pay")))) as _sum_1,
    sum(hash(hash($salt, "illness", case when not isnan("pay") then "pay" end, isnan("pay"), not isnan("pay") and signbit("pay")))) as _salted_sum_1,
    cast(count(*) as bigint) as _rows
from release
group by all
