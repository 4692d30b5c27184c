-- builds: rolled_up_<column>
-- reads: packed_levels or rolled_up_<column>
-- one row: class of one node: the sum of the labels that stay, the labels of its higher levels, and its rows
select
    any_value(cast(0 as {{ type }}){% for key in fixed %} + {{ key | ident }}{% endfor %}) as _fixed,
    {% for key in kept %}
    any_value({{ key | ident }}) as {{ key | ident }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows
from {{ relation | ident }}
group by cast(0 as {{ type }}){% for key in keys %} + {{ key | ident }}{% endfor +%}
