-- builds: split_labels
-- reads: lookup_<column>, values_<column>
-- one row: label whose values part on the next level, with two of the labels that they go to, and its rows
{% for level in range(height) %}
select
    {{ level }} as level,
    lookup.level_{{ level }} as label,
    min(lookup.level_{{ level + 1 }}) as one,
    max(lookup.level_{{ level + 1 }}) as other,
    coalesce(cast(sum(present._rows) as bigint), 0) as _rows
from {{ ("lookup_" ~ column) | ident }} as lookup
left join {{ ("values_" ~ column) | ident }} as present
    on lookup.value is not distinct from present.text
group by lookup.level_{{ level }}
having count(distinct lookup.level_{{ level + 1 }}) + max(case when lookup.level_{{ level + 1 }} is null then 1 else 0 end) > 1
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
order by level, label
