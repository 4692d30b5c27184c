-- builds: hierarchy_<column>
-- reads: lookup_<column>, values_<column>
-- one row: value, with its label on each level, and the number of leaves and the loss of each label
with listed as (
    select
        lookup.value,
        lookup.level_0,
        lookup.level_1,
        true as is_leaf,
        false as is_missing
    from "lookup_illness" as lookup
),

top as (
    select coalesce(max(level_1), '*') as label
    from listed
),

added as (
    select
        present.text as value,
        case when present.missing then top.label else present.text end as level_0,
        top.label as level_1,
        not present.missing as is_leaf,
        present.missing as is_missing
    from "values_illness" as present
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
        * exclude (is_leaf),
        -- missing values at the top are no leaves; but beside a single value they are, since the top hides who has it
        is_leaf or (is_missing and count(*) filter (where is_leaf) over () = 1) as is_leaf
    from placed
),

total as (
    select
        count(*) filter (where is_leaf) as domain,
        greatest(1, domain) as most,
        cast(greatest(1, domain - 1) as double) as span
    from leaves
),

groups_1 as (
    select
        level_1 as label,
        greatest(1, count(*) filter (where is_leaf)) as leaves
    from leaves
    group by level_1
),

final as (
    select
        leaves.value,
        leaves.level_0,
        leaves.level_1,
        case when leaves.is_missing then total.most else 1 end as leaves_0,
        case when leaves.is_missing then total.most else groups_1.leaves end as leaves_1,
        (leaves_0 - 1) / total.span as loss_0,
        (leaves_1 - 1) / total.span as loss_1,
        total.domain
    from leaves
    cross join total
    join groups_1
        on groups_1.label is not distinct from leaves.level_1
)

select * from final
order by value nulls last
