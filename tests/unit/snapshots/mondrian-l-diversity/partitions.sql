-- builds: partitions
-- reads: cells
-- one row: Mondrian partition: its parent, the attribute and the place of the cut, with its rows
select
    cast(1 as bigint) as _partition,
    cast(null as bigint) as _parent,
    0 as _round,
    cast(null as varchar) as _attribute,
    cast(null as varchar) as _cut,
    cast(null as varchar) as _value,
    cast(null as integer) as _level,
    cast(null as integer) as _low,
    cast(null as integer) as _high,
    cast(null as boolean) as _is_rest,
    cast(sum(_rows) as bigint) as _rows
from cells
