-- builds: labels_<column>
-- reads: hierarchy_<column>, values_<column>
-- one row: level and label, with its code, leaves, loss and rows
with levels as (
    {% for level in range(height + 1) %}
    select
        {{ level }} as level,
        hierarchy.level_{{ level }} as label,
        max(hierarchy.leaves_{{ level }}) as leaves,
        max(hierarchy.loss_{{ level }}) as loss,
        cast(coalesce(sum(present._rows), 0) as bigint) as _rows
    from {{ ("hierarchy_" ~ column) | ident }} as hierarchy
    left join {{ ("values_" ~ column) | ident }} as present
        on hierarchy.value is not distinct from present.text
    group by hierarchy.level_{{ level }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
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
