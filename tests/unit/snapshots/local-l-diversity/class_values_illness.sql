-- builds: class_values_<column>
-- reads: placements, cell_values_<column> (perhaps cell_value_entities_<column>)
-- one row: class of the recoding and sensitive value in it, as a code, with its rows, or the persons who have it
select
    placements."_class_number",
    seen._value,
    cast(sum(seen._value_rows) as bigint) as _value_rows
from placements
join "cell_values_illness" as seen
    on placements._cell = seen._cell
group by
    placements."_class_number",
    seen._value
