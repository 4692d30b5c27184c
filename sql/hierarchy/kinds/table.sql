-- builds: lookup_<column>
-- reads: listed_<column>
-- one row: line of the value table: value, its label on each level
select
    cast({{ cells[0] | ident }} as varchar) as value,
    {% for cell in cells %}
    cast({{ cell | ident }} as varchar) as level_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("listed_" ~ column) | ident }}
where {% for cell in cells %}{{ cell | ident }} is not null{{ " or " if not loop.last }}{% endfor %}
