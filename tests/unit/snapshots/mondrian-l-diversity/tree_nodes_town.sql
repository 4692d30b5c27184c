-- builds: tree_nodes_<column>
-- reads: ordered_codes_<column>, labels_<column>
-- one row: level and position: its label in the hierarchy, with all positions under the label, its loss and its rows
select
    cast(1 as integer) as level,
    positions.position,
    min(positions.position) over (partition by positions.level_1) as low,
    max(positions.position) over (partition by positions.level_1) as high,
    labels.label,
    labels.loss,
    cast(sum(positions._rows) over (partition by positions.level_1) as bigint) as _rows
from "ordered_codes_town" as positions
join "labels_town" as labels
    on labels.level = 1
    and labels.code = positions.level_1
union all
select
    cast(2 as integer) as level,
    positions.position,
    min(positions.position) over (partition by positions.level_2) as low,
    max(positions.position) over (partition by positions.level_2) as high,
    labels.label,
    labels.loss,
    cast(sum(positions._rows) over (partition by positions.level_2) as bigint) as _rows
from "ordered_codes_town" as positions
join "labels_town" as labels
    on labels.level = 2
    and labels.code = positions.level_2
