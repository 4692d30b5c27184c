-- builds: blank_labels
-- reads: lookup_<column>
-- one row: level on which values have no label, with the number of these values and an example
{% for level in range(1, height + 1) %}
select
    {{ level }} as level,
    count(*) as blanks,
    min(value) as example
from {{ ("lookup_" ~ column) | ident }}
where value is not null and coalesce(level_{{ level }}, '') = ''
having count(*) > 0
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
order by level
