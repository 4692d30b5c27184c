-- builds: ordered_codes_<column>
-- reads: levels_<column>, values_<column>
-- one row: label code that identifies cells, with its position in the order by which the column is cut
select
    levels.level_0 as code,
    cast(row_number() over (order by levels.level_1, levels.level_0) - 1 as integer) as position,
    levels.level_0,
    levels.level_1,
    cast(sum(present._rows) as bigint) as _rows
from "levels_sex" as levels
join "values_sex" as present
    on present.code = levels.code
group by
    levels.level_1,
    levels.level_0
