-- builds: expected_classes
-- reads: expected_rows (perhaps expected_population)
-- one row: set of labels that the recoding gives to the source, with its rows, the fingerprints of their cells and the rows of the population
with grouped as (
    select
        "age",
        "sex",
        "town",
        sum(hash(hash(_cell_4, case when not isnan(_cell_5) then _cell_5 end, isnan(_cell_5), not isnan(_cell_5) and signbit(_cell_5)))) as _sum_1,
        sum(hash(hash($salt, _cell_4, case when not isnan(_cell_5) then _cell_5 end, isnan(_cell_5), not isnan(_cell_5) and signbit(_cell_5)))) as _salted_sum_1,
        cast(count(*) as bigint) as _rows
    from expected_rows
    group by
        "age",
        "sex",
        "town"
)

select
    grouped.*
from grouped
