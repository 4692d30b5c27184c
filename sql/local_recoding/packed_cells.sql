-- builds: remaining
-- reads: cells
-- one row: distinct set of quasi-identifier values that no pass has released yet: its label codes for each level as digits of one number, with its rows
select
    _cell,
    {% for key, place in places.items() %}
    cast({{ key | ident }} as bigint) * {{ place }} as {{ key | ident }},
    {% endfor %}
    _rows
from cells
