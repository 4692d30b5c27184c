-- builds: expected_groups
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, with its rows and the fingerprints of their cells
select
    "sex",
    sum(hash(hash(_cell_2, case when not isnan(_cell_3) then _cell_3 end, isnan(_cell_3), not isnan(_cell_3) and signbit(_cell_3)))) as _sum_1,
    sum(hash(hash($salt, _cell_2, case when not isnan(_cell_3) then _cell_3 end, isnan(_cell_3), not isnan(_cell_3) and signbit(_cell_3)))) as _salted_sum_1,
    cast(count(*) as bigint) as _rows
from expected_rows
group by
    "sex"
