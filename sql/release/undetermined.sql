-- builds: undetermined
-- reads: records
-- one row: number of values of a quasi-identifier beside which a linked column has more than one value
{% from "source/missing.jinja" import present %}
with beside as (
    select
        {{ quasi_identifier | ident }} as _value,
        min(cast({{ column | ident }} as varchar)) as _least,
        max(cast({{ column | ident }} as varchar)) as _greatest,
        count({{ column | ident }}) as _filled,
        count(*) as _rows
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

select count(*) as _values
from final
