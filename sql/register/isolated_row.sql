-- builds: isolated_row
-- reads: source, isolated
-- one row: the input row at a position, if it is left out because registered releases would isolate it
with chosen as (
    select *
    from source
    limit 1 offset {{ offset }}
)

select 1 as _is_isolated
from chosen
join isolated
    on {% for name, column in isolated.items() %}isolated.{{ name | ident }} is not distinct from cast(chosen.{{ column.name | ident }}{{ " + 0.0" if column.is_floating }} as varchar){{ "\n    and " if not loop.last }}{% endfor +%}
