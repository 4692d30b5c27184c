-- builds: labels_of_a_value
-- reads: hierarchy_<column>, values_<column>
-- one row: the most frequent value of a column: its label on each level above the values
select
    {% for level in range(1, height + 1) %}
    hierarchy.level_{{ level }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ("hierarchy_" ~ column) | ident }} as hierarchy
join {{ ("values_" ~ column) | ident }} as present
    on hierarchy.value is not distinct from present.text
order by
    present.missing,
    present._rows desc,
    present.code
limit 1
