-- builds: hierarchy_<column>
-- reads: lookup_<column>, values_<column>
-- one row: value, with its label on each level, and the leaves and the loss of each label
with listed as (
    select
        lookup.value,
        lookup.level_0,
        lookup.level_1,
        lookup.level_2,
        lookup.level_3,
        true as is_leaf,
        false as is_missing
    from "lookup_age" as lookup
),

top as (
    select coalesce(max(level_3), '*') as label
    from listed
),

added as (
    select
        present.text as value,
        case when present.missing then top.label else present.text end as level_0,
        case when present.missing then top.label else present.text end as level_1,
        case when present.missing then top.label else present.text end as level_2,
        top.label as level_3,
        false as is_leaf,
        present.missing as is_missing
    from "values_age" as present
    cross join top
    where present.missing
        or (present.text is null and not exists (select 1 from listed where listed.value is null))
),

placed as (
    select *
    from listed
    where not exists (select 1 from added where added.is_missing and added.value is not distinct from listed.value)
    union all
    select * from added
),

leaves as (
    select
        *,
        sum(cast(is_leaf as integer)) over () as domain,
        greatest(1, sum(cast(is_leaf as integer)) over (partition by level_0)) as under_0,
        greatest(1, sum(cast(is_leaf as integer)) over (partition by level_1)) as under_1,
        greatest(1, sum(cast(is_leaf as integer)) over (partition by level_2)) as under_2,
        greatest(1, sum(cast(is_leaf as integer)) over (partition by level_3)) as under_3
    from placed
),

final as (
    select
        value,
        level_0,
        level_1,
        level_2,
        level_3,
        cast(case when is_missing then greatest(1, domain) else under_0 end as bigint) as leaves_0,
        cast(case when is_missing then greatest(1, domain) else under_1 end as bigint) as leaves_1,
        cast(case when is_missing then greatest(1, domain) else under_2 end as bigint) as leaves_2,
        cast(case when is_missing then greatest(1, domain) else under_3 end as bigint) as leaves_3,
        case
            when domain <= 1 then 0.0
            when is_missing then 1.0
            else (under_0 - 1) / cast(domain - 1 as double)
        end as loss_0,
        case
            when domain <= 1 then 0.0
            when is_missing then 1.0
            else (under_1 - 1) / cast(domain - 1 as double)
        end as loss_1,
        case
            when domain <= 1 then 0.0
            when is_missing then 1.0
            else (under_2 - 1) / cast(domain - 1 as double)
        end as loss_2,
        case
            when domain <= 1 then 0.0
            when is_missing then 1.0
            else (under_3 - 1) / cast(domain - 1 as double)
        end as loss_3,
        cast(domain as bigint) as domain
    from leaves
)

select * from final
order by value nulls last
