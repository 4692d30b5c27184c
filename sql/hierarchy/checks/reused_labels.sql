-- builds: reused_labels
-- reads: lookup_<column>
-- one row: label that occurs on several levels, and whether it covers the same values on each
with labels as (
    {% for level in range(height + 1) %}
    select
        {{ level }} as level,
        level_{{ level }} as label,
        count(*) as leaves,
        sum(hash(value)) as mark
    from {{ ("lookup_" ~ column) | ident }}
    where level_{{ level }} is not null
    group by level_{{ level }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
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
