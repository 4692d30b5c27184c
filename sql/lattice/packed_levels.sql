-- builds: packed_levels
-- reads: combinations
-- one row: distinct set of quasi-identifier values: for each level below the top, the label code and the leaves that a row loses by suppression, in fields of bits of one number; and its rows
select
    cast(0 as {{ type }}) as _fixed,
    {% for level in levels %}
    cast({{ level.key | ident }} as {{ type }}) * {{ level.code }}
    + cast({{ level.leaves | literal }}[{{ level.key | ident }} + 1] as {{ type }}) * {{ level.unit }} as {{ level.key | ident }},
    {% endfor %}
    _rows
from combinations
