-- builds: cell_value_entities_<column>
-- reads: sensitive_entities_<column>, cells, positions_<column>
-- one row: distinct set of quasi-identifier values, by its number, sensitive value in it, as a code, and person who has the value in several sets
select
    cells._cell,
    sensitive._value,
    sensitive._entity
from {{ ("sensitive_entities_" ~ column) | ident }} as sensitive
{% for attribute in attributes %}
join {{ ("positions_" ~ attribute.name) | ident }}
    on sensitive.{{ attribute.key | ident }} = {{ ("positions_" ~ attribute.name) | ident }}.code
{% endfor %}
join cells
    on {% for attribute in attributes %}{{ ("positions_" ~ attribute.name) | ident }}.position = cells.{{ attribute.name | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
