-- builds: side_values_<column>
-- reads: sides, cell_values_<column> (perhaps cell_value_entities_<column>)
-- one row: possible cut of a partition, side, and sensitive value on it, as a code, with its rows, or the persons who have it
select
    sides."_partition",
    sides."_rank",
    sides."_variant",
    sides."_side",
    seen._value,
    cast(sum(seen._value_rows) as bigint) as _value_rows
from sides
join "cell_values_illness" as seen
    on sides._cell = seen._cell
group by
    sides."_partition",
    sides."_rank",
    sides."_variant",
    sides."_side",
    seen._value
