-- builds: shared_labels
-- reads: lookup_<column>
-- one row: label of several groups of one level, with two values from different groups
{% for level in range(1, groups + 1) %}
select
    {{ level }} as level,
    level_{{ level }} as label,
    arg_min(value, group_{{ level }}) as one,
    arg_max(value, group_{{ level }}) as other
from {{ ("lookup_" ~ column) | ident }}
group by level_{{ level }}
having min(group_{{ level }}) <> max(group_{{ level }})
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
order by level, label
