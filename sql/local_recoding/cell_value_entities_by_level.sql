-- builds: cell_value_entities_<column>
-- reads: sensitive_entities_<column>, cells
-- one row: distinct set of quasi-identifier values, by its number, sensitive value in it, as a code, and person who has the value in several sets
select
    cells._cell,
    sensitive._value,
    sensitive._entity
from {{ ("sensitive_entities_" ~ column) | ident }} as sensitive
join cells
    on {% for attribute in attributes %}sensitive.{{ attribute.key | ident }} = cells.{{ attribute.key | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
