-- builds: expected_groups
-- reads: expected_rows
-- one row: set of labels that the recoding gives to the source, with its rows and the fingerprints of their cells
select
    "age",
    "sex",
    "town",
    sum(hash(hash(_cell_4, case when not isnan(_cell_5) then _cell_5 end, isnan(_cell_5), not isnan(_cell_5) and signbit(_cell_5)))) as _sum_1,
    sum(hash(hash($salt, _cell_4, case when not isnan(_cell_5) then _cell_5 end, isnan(_cell_5), not isnan(_cell_5) and signbit(_cell_5)))) as _salted_sum_1,
    cast(count(*) as bigint) as _rows
from expected_rows
group by all
