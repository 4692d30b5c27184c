-- builds: cell_values_<column>
-- reads: sensitive_<column>, cells, positions_<column>
-- one row: distinct set of quasi-identifier values, by its number, and sensitive value in it, as a code, with its rows, or the persons who have the value only in this set
select
    cells._cell,
    sensitive._value,
    sensitive._value_rows
from {{ ("sensitive_" ~ column) | ident }} as sensitive
{% for attribute in attributes %}
join {{ ("positions_" ~ attribute.name) | ident }}
    on sensitive.{{ attribute.key | ident }} = {{ ("positions_" ~ attribute.name) | ident }}.code
{% endfor %}
join cells
    on {% for attribute in attributes %}{{ ("positions_" ~ attribute.name) | ident }}.position = cells.{{ attribute.name | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
