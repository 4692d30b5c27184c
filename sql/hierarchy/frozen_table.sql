-- builds: frozen_table
-- reads: hierarchy_<column>, values_<column>
-- one row: value that the hierarchy lists, with its label on each level
select
    value,
    {% for level in range(1, height + 1) %}
    level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("hierarchy_" ~ column) | ident }}
where value is not null
    and value not in (select text from {{ ("values_" ~ column) | ident }} where missing and text is not null)
order by value
