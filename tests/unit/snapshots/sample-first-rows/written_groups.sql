-- builds: written_groups
-- reads: release
-- one row: set of quasi-identifier values as written in the output file, with its rows, the fingerprints of their cells, and the least and the greatest value of linked columns
select
    "sex",
    sum(hash(hash("illness", "pay", signbit("pay")))) as _sum_1,
    sum(hash(hash($salt, "illness", "pay", signbit("pay")))) as _salted_sum_1,
    cast(count(*) as bigint) as _rows
from release
group by
    "sex"
