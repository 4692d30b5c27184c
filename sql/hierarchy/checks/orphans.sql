-- builds: orphans
-- reads: listed_<column>, lookup_<column>, values_<column>
-- one row: label below the top that is in no group of the next level, with the rows under it
with labels as (
    select distinct
        cell_0 as level,
        cell_1 as label
    from {{ ("listed_" ~ column) | ident }}
    where cell_0 < {{ height }}
),

parentless as (
    select *
    from labels
    where not exists (
        select 1
        from {{ ("listed_" ~ column) | ident }} as above
        where above.cell_0 = labels.level + 1 and above.cell_2 = labels.label
    )
),

final as (
    select
        level,
        label,
        (
            select coalesce(cast(sum(present._rows) as bigint), 0)
            from {{ ("lookup_" ~ column) | ident }} as lookup
            join {{ ("values_" ~ column) | ident }} as present
                on present.text = lookup.value
            where case parentless.level
                {% for level in range(height) %}
                when {{ level }} then lookup.level_{{ level }} = parentless.label
                {% endfor %}
            end
        ) as _rows
    from parentless
)

select * from final
order by level, _rows desc, label
