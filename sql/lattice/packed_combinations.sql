-- builds: packed_combinations
-- reads: combinations
-- one row: distinct set of quasi-identifier values: the label code of each level as a digit of a number, and its rows
select
    {% for attribute in attributes %}
    {% for key in attribute.columns %}
    cast({{ key | ident }} as bigint) * {{ attribute.place }} as {{ key | ident }},
    {% endfor %}
    {% endfor %}
    _rows
from combinations
