-- builds: promising
-- reads: nodes, remaining
-- one row: node with a class of remaining rows that is large enough; a class with population rows only counts as one row
with placed as (
    select
        nodes._visit,
        case nodes._level_1
            when 0 then remaining."least_0"
            when 1 then remaining."least_1"
        end as code_1,
        case nodes._level_2
            when 0 then remaining."age_0"
            when 1 then remaining."age_1"
        end as code_2,
        case nodes._level_3
            when 0 then remaining."town_0"
            when 1 then remaining."town_1"
        end as code_3,
        case nodes._level_4
            when 0 then remaining."illness_0"
            when 1 then remaining."illness_1"
        end as code_4,
        remaining._rows
    from nodes
    cross join remaining
    where nodes._visit between 0 and 15
)

select distinct _visit
from (
    select _visit
    from placed
    group by
        _visit, code_1, code_2, code_3, code_4
    having greatest(sum(_rows), 1) >= 3
) as classes
order by _visit
