-- builds: records
-- reads: source, isolated (perhaps outside_<column>)
-- one row: input row that takes part, without records that the new release would isolate
with admitted as (
{{ records }}
)

select *
from admitted
where not exists (
    select 1
    from isolated
    where {% for name, column in isolated.items() %}isolated.{{ name | ident }} is not distinct from cast(admitted.{{ column.name | ident }}{{ " + 0.0" if column.is_floating }} as varchar){{ "\n        and " if not loop.last }}{% endfor +%}
)
