-- builds: promising
-- reads: nodes, remaining
-- one row: node with a class of remaining rows that is large enough; a class with population rows only counts as one row
with placed as (
    select
        nodes._visit,
        case nodes._level_1
            when 0 then remaining."age_0"
            when 1 then remaining."age_1"
            when 2 then remaining."age_2"
            when 3 then remaining."age_3"
        end as code_1,
        case nodes._level_2
            when 0 then remaining."sex_0"
            when 1 then remaining."sex_1"
        end as code_2,
        case nodes._level_3
            when 1 then remaining."town_1"
            when 2 then remaining."town_2"
        end as code_3,
        remaining._rows
    from nodes
    cross join remaining
)

select distinct _visit
from (
    select _visit
    from placed
    group by
        _visit, code_1, code_2, code_3
    having greatest(sum(_rows), 1) >= 3
) as classes
