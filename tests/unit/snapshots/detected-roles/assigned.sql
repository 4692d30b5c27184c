-- builds: assigned
-- reads: cells, passed, nodes, labels_<column>
-- one row: distinct set of quasi-identifier values, with its pass, its released class, and the loss of its cells
with located as materialized (
    select
        cells.* exclude (_rows),
        passed._pass,
        nodes._level_1,
        case nodes._level_1
            when 0 then cells."least_0"
            when 1 then cells."least_1"
        end as _code_1,
        nodes._level_2,
        case nodes._level_2
            when 0 then cells."age_0"
            when 1 then cells."age_1"
        end as _code_2,
        nodes._level_3,
        case nodes._level_3
            when 0 then cells."town_0"
            when 1 then cells."town_1"
        end as _code_3,
        nodes._level_4,
        case nodes._level_4
            when 0 then cells."illness_0"
            when 1 then cells."illness_1"
        end as _code_4,
        cells._rows
    from cells
    join passed
        on cells._cell = passed._cell
    join nodes
        on passed._pass = nodes._visit
)

select
    located.* exclude (_level_1, _code_1, _level_2, _code_2, _level_3, _code_3, _level_4, _code_4),
    min(located._pass) over shown * 1000000000000 + min(located._cell) over shown as _place,
cast(1.0 as double) * labels_1.loss + cast(1.3 as double) * labels_2.loss + cast(1.2 as double) * labels_3.loss + cast(1.4 as double) * labels_4.loss as _cell_loss
from located
join "labels_least" as labels_1
    on labels_1.level = located._level_1
    and labels_1.code = located._code_1
join "labels_age" as labels_2
    on labels_2.level = located._level_2
    and labels_2.code = located._code_2
join "labels_town" as labels_3
    on labels_3.level = located._level_3
    and labels_3.code = located._code_3
join "labels_illness" as labels_4
    on labels_4.level = located._level_4
    and labels_4.code = located._code_4
window shown as (
    partition by labels_1.label, labels_2.label, labels_3.label, labels_4.label
)
