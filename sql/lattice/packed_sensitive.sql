-- builds: packed_sensitive_<column>
-- reads: sensitive_<column>
-- one row: distinct set of quasi-identifier values and sensitive value in it: the label codes of its levels as digits of one number, and its rows
select
    {% for key, place in places.items() %}
    cast({{ key | ident }} as bigint) * {{ place }} as {{ key | ident }},
    {% endfor %}
    _value,
    _value_rows
from {{ ("sensitive_" ~ column) | ident }}
