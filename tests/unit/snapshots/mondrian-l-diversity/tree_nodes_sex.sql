-- builds: tree_nodes_<column>
-- reads: ordered_codes_<column>, labels_<column>
-- one row: level and position: its label in the hierarchy, with all positions under the label, its loss and its rows
select
    cast(0 as integer) as level,
    positions.position,
    min(positions.position) over (partition by positions.level_0) as low,
    max(positions.position) over (partition by positions.level_0) as high,
    labels.label,
    labels.loss,
    cast(sum(positions._rows) over (partition by positions.level_0) as bigint) as _rows
from "ordered_codes_sex" as positions
join "labels_sex" as labels
    on labels.level = 0
    and labels.code = positions.level_0
union all
select
    cast(1 as integer) as level,
    positions.position,
    min(positions.position) over (partition by positions.level_1) as low,
    max(positions.position) over (partition by positions.level_1) as high,
    labels.label,
    labels.loss,
    cast(sum(positions._rows) over (partition by positions.level_1) as bigint) as _rows
from "ordered_codes_sex" as positions
join "labels_sex" as labels
    on labels.level = 1
    and labels.code = positions.level_1
