-- builds: sides
-- reads: cuts, cells (perhaps places)
-- one row: possible cut of a partition and distinct set of quasi-identifier values in it, with its side
with located as (
    select
        cuts._partition,
        cuts._rank,
        cuts._variant,
        cuts._attribute,
        cuts._level,
        cuts._first,
        cuts._last,
        case cuts._attribute
            when 1 then cells."age"
            when 2 then cells."sex"
            when 3 then cells."town"
        end as position,
        cells._cell,
        cells._rows
    from cuts
    join cells
        on cuts._partition = cells._partition
)

select
    located._partition,
    located._rank,
    located._variant,
    case
        when located._first is null then branches.low
        when located.position between located._first and located._last then 0
        else 1
    end as _side,
    located._cell,
    located._rows
from located
left join places as branches
    on located._attribute = branches._attribute
    and located._level - 1 = branches.level
    and located.position = branches.position
