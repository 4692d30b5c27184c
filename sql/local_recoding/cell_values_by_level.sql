-- builds: cell_values_<column>
-- reads: sensitive_<column>, cells
-- one row: distinct set of quasi-identifier values, by its number, and sensitive value in it, as a code, with its rows, or the persons who have the value only in this set
select
    cells._cell,
    sensitive._value,
    sensitive._value_rows
from {{ ("sensitive_" ~ column) | ident }} as sensitive
join cells
    on {% for attribute in attributes %}sensitive.{{ attribute.key | ident }} = cells.{{ attribute.key | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
