-- builds: level_groups
-- reads: lookup_<column>
-- one row: level, with the number of its groups
{% for level in range(height + 1) %}
select
    {{ level }} as level,
    count(distinct level_{{ level }}) + coalesce(max(case when level_{{ level }} is null then 1 end), 0) as labels
from {{ ("lookup_" ~ column) | ident }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
order by level
