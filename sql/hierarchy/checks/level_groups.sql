-- builds: level_groups
-- reads: lookup_<column>
-- one row: level: the number of its groups, and of its values without a label, with one of these
with labels as (
    select
        value,
        unnest([{{ range(height + 1) | join(", ") }}]) as level,
        unnest([level_{{ range(height + 1) | join(", level_") }}]) as label
    from {{ ("lookup_" ~ column) | ident }}
)

select
    level,
    count(distinct label) + coalesce(max(case when label is null then 1 end), 0) as labels,
    count(*) filter (where level > 0 and value is not null and coalesce(label, '') = '') as blanks,
    min(value) filter (where level > 0 and coalesce(label, '') = '') as example
from labels
group by level
order by level
