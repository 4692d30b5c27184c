-- builds: near_labels
-- reads: lookup_<column>
-- one row: two labels of one level that differ only in letter case or white space
with labels as (
    select distinct
        unnest([{{ range(height + 1) | join(", ") }}]) as level,
        unnest([level_{{ range(height + 1) | join(", level_") }}]) as label
    from {{ ("lookup_" ~ column) | ident }}
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
