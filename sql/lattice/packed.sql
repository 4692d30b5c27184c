-- builds: packed
-- reads: combinations or sensitive_<column> or cells
-- one row: row of the relation: for each level, the label code and perhaps the leaves that a row loses by suppression, in fields of bits of one number; and its measures
select
    {% for level in levels %}
    cast({{ level.key | ident }} as {{ type }}) * {{ level.unit }}{% if level.leaves %}

    + cast({{ level.leaves | literal }}[{{ level.key | ident }} + 1] as {{ type }}) * {{ level.leaves_unit }}{% endif %} as {{ level.key | ident }},
    {% endfor %}
    {{ measures | join(",\n    ") }}
from {{ source | ident }}
