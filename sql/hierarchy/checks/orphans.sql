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

covered as (
    select
        placed.level,
        placed.label,
        cast(sum(placed._rows) as bigint) as _rows
    from (
        select
            unnest([{{ range(height) | join(", ") }}]) as level,
            unnest([lookup.level_{{ range(height) | join(", lookup.level_") }}]) as label,
            present._rows
        from {{ ("lookup_" ~ column) | ident }} as lookup
        join {{ ("values_" ~ column) | ident }} as present
            on present.text = lookup.value
    ) as placed
    group by
        placed.level,
        placed.label
),

final as (
    select
        parentless.level,
        parentless.label,
        coalesce(covered._rows, 0) as _rows
    from parentless
    left join covered
        on parentless.level = covered.level
        and parentless.label = covered.label
)

select * from final
order by level, _rows desc, label
