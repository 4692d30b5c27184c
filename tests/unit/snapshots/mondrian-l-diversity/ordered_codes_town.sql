-- builds: ordered_codes_<column>
-- reads: levels_<column>, values_<column>
-- one row: label code that identifies cells, with its position in the order by which the column is cut
select
    levels.level_1 as code,
    cast(row_number() over (order by levels.level_2, levels.level_1) - 1 as integer) as position,
    levels.level_1,
    levels.level_2,
    cast(sum(present._rows) as bigint) as _rows
from "levels_town" as levels
join "values_town" as present
    on present.code = levels.code
group by
    levels.level_2,
    levels.level_1
