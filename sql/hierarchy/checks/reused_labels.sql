-- builds: reused_labels
-- reads: lookup_<column>
-- one row: label that occurs on several levels, and whether it covers the same values on each
with placed as (
    select
        value,
        unnest([{{ range(height + 1) | join(", ") }}]) as level,
        unnest([level_{{ range(height + 1) | join(", level_") }}]) as label
    from {{ ("lookup_" ~ column) | ident }}
),

labels as (
    select
        level,
        label,
        count(*) as leaves,
        sum(hash(value)) as mark
    from placed
    where label is not null
    group by level, label
),

final as (
    select
        label,
        min(level) as first_level,
        max(level) as last_level,
        count(distinct mark) > 1 as differs,
        max(leaves) as leaves
    from labels
    {% if ignored is not none %}
    where label <> {{ ignored | literal }}
    {% endif %}
    group by label
    having count(*) > 1
)

select * from final
order by differs desc, first_level, label
