-- builds: large_classes
-- reads: nodes, remaining
-- one row: node and class of remaining rows that is large enough, with its sets of quasi-identifier values
with placed as (
    select
        nodes._visit,
        case nodes._level_1
            when 0 then remaining."age_0"
            when 1 then remaining."age_1"
            when 2 then remaining."age_2"
            when 3 then remaining."age_3"
        end +
        case nodes._level_2
            when 0 then remaining."sex_0"
            when 1 then remaining."sex_1"
        end +
        case nodes._level_3
            when 1 then remaining."town_1"
            when 2 then remaining."town_2"
        end as _key,
        remaining._cell,
        remaining._rows
    from nodes
    cross join remaining
)

select
    _visit,
    list(_cell) as _cells
from placed
group by
    _visit,
    _key
having sum(_rows) >= 3
