-- builds: packed_levels
-- reads: combinations
-- one row: distinct set of quasi-identifier values: the label codes of its levels below the top as digits of one number, and its rows
select
    {% for key, place in places.items() %}
    cast({{ key | ident }} as bigint) * {{ place }} as {{ key | ident }},
    {% endfor %}
    _rows
from combinations
