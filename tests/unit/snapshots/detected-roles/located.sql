-- builds: located
-- reads: cells, passed, nodes
-- one row: distinct set of quasi-identifier values, by its number, with its pass and its released label codes
select
    cells._cell,
    passed._pass,
    case nodes._level_1
        when 0 then cells."least_0"
        when 1 then cells."least_1"
    end as _code_1,
    case nodes._level_2
        when 0 then cells."age_0"
        when 1 then cells."age_1"
    end as _code_2,
    case nodes._level_3
        when 0 then cells."town_0"
        when 1 then cells."town_1"
    end as _code_3,
    case nodes._level_4
        when 0 then cells."illness_0"
        when 1 then cells."illness_1"
    end as _code_4
from passed
join cells
    on passed._cell = cells._cell
join nodes
    on passed._pass = nodes._visit
