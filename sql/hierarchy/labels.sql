-- builds: labels_<column>
-- reads: hierarchy_<column>, values_<column>
-- one row: level and label, with its code, leaves, loss and rows
{% set levels = range(height + 1) | list %}
with labelled as (
    select
        unnest([{{ levels | join(", ") }}]) as level,
        unnest([level_{{ levels | join(", level_") }}]) as label,
        unnest([leaves_{{ levels | join(", leaves_") }}]) as leaves,
        unnest([loss_{{ levels | join(", loss_") }}]) as loss,
        present._rows
    from {{ ("hierarchy_" ~ column) | ident }} as hierarchy
    left join {{ ("values_" ~ column) | ident }} as present
        on hierarchy.value is not distinct from present.text
),

levels as (
    select
        level,
        label,
        max(leaves) as leaves,
        max(loss) as loss,
        cast(coalesce(sum(_rows), 0) as bigint) as _rows
    from labelled
    group by level, label
),

final as (
    select
        level,
        cast(row_number() over (partition by level order by label nulls last) - 1 as {{ code_type }}) as code,
        label,
        leaves,
        loss,
        _rows
    from levels
)

select * from final
order by level, code
