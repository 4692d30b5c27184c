-- builds: side_classes
-- reads: sides (perhaps cell_entities)
-- one row: possible cut of a partition and side, as the class that it would form
select
    "_partition",
    "_rank",
    "_variant",
    "_side",
    cast(sum(_rows) as bigint) as _rows
from sides
group by all
