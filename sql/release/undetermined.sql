-- builds: undetermined
-- reads: records
-- one row: the linked column: the number of values of its quasi-identifier for which it has more than one value
{% from "dataset/missing.jinja" import present %}
with beside as (
    select
        {{ quasi_identifier | ident }} as _value,
        cast(min(cast({{ column | ident }} as varchar)) as varchar) as _least,
        cast(max(cast({{ column | ident }} as varchar)) as varchar) as _greatest,
        cast(count({{ column | ident }}) as bigint) as _filled,
        cast(count(*) as bigint) as _rows
    from records
    {{ present(shown) | indent | trim }}
    group by {{ quasi_identifier | ident }}
),

final as (
    select _value
    from beside
    where _least <> _greatest
        or (_filled > 0 and _filled < _rows)
)

select cast(count(*) as bigint) as _values
from final
