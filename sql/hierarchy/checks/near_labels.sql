-- builds: near_labels
-- reads: lookup_<column>
-- one row: two labels of one level that differ only in letter case or white space
with labels as (
    {% for level in range(height + 1) %}
    select distinct
        {{ level }} as level,
        level_{{ level }} as label
    from {{ ("lookup_" ~ column) | ident }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
)

select
    level,
    min(label) as one,
    max(label) as other
from labels
where label is not null
group by level, lower(regexp_replace(label, '[\s\p{Z}]', '', 'g'))
having count(*) > 1
order by level, one
