-- builds: split_labels
-- reads: lookup_<column>
-- one row: label whose values have different labels on the next level, with two of these labels
{% for level in range(height) %}
select
    {{ level }} as level,
    level_{{ level }} as label,
    min(level_{{ level + 1 }}) as one,
    max(level_{{ level + 1 }}) as other
from {{ ("lookup_" ~ column) | ident }}
group by level_{{ level }}
having min(level_{{ level + 1 }}) <> max(level_{{ level + 1 }})
    or count(level_{{ level + 1 }}) not in (0, count(*))
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
order by level, label
