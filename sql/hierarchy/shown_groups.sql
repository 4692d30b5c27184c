-- builds: shown_groups
-- reads: labels_<column>
-- one row: group of a level above the values, with its leaves and its rows
select
    level,
    label,
    leaves,
    _rows
from {{ ("labels_" ~ column) | ident }}
where level between 1 and {{ height - 1 }}
order by
    level,
    _rows desc,
    label
{% if limit is not none %}
limit {{ limit }}
{% endif %}
