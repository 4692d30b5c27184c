-- builds: class_values_<column>
-- reads: region_assignments or sides, cell_values_<column> (perhaps cell_value_entities_<column>)
-- one row: class of the recoding, or side of a possible cut, and sensitive value in it, as a code, with its rows, or the persons who have it
select
    "_partition",
    "_rank",
    "_variant",
    "_side",
    _value,
    cast(sum(_value_rows) as bigint) as _value_rows
from sides
join "cell_values_illness" as seen
    on sides._cell = seen._cell
group by
    "_partition",
    "_rank",
    "_variant",
    "_side",
    _value
