-- builds: rolled_up_<column>
-- reads: packed_levels or rolled_up_<column>
-- one row: class of one node: the label codes of its higher levels as digits of one number, and its rows
select
    {% for key in kept %}
    any_value({{ key | ident }}) as {{ key | ident }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows
from {{ relation | ident }}
group by {% for key in keys %}{{ key | ident }} + {% endfor %}0
