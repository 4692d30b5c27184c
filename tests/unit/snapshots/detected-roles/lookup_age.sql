-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: its text, the interval that holds it on each level, and the interval's number
with steps as (
    select
        text,
        try_cast(value as hugeint) as step
    from "values_age"
    where value is not null
        and not missing
),

placed as (
    select
        text,
        step as position
    from steps
    where step is not null
),

parts_1 as (
    select
        *,
        (position - (position % 5 + 5) % 5) // 5 as part_1
    from placed
),

parts_2 as (
    select
        *,
        (part_1 - (part_1 % 2 + 2) % 2) // 2 as part_2
    from parts_1
),

parts_3 as (
    select
        *,
        (part_2 - (part_2 % 2 + 2) % 2) // 2 as part_3
    from parts_2
),

starts_3 as (
    select
        text,
        part_1,
        part_2,
        part_3,
        part_3 * 2 as low_3,
        (part_3 + 1) * 2 as high_3
    from parts_3
),

starts_2 as (
    select
        text,
        part_1,
        part_2,
        part_3,
        part_2 * 2 as low_2,
        (part_2 + 1) * 2 as high_2,
        low_3 * 2 as low_3,
        high_3 * 2 as high_3
    from starts_3
),

starts_1 as (
    select
        text,
        part_1,
        part_2,
        part_3,
        part_1 * 5 as low_1,
        (part_1 + 1) * 5 as high_1,
        low_2 * 5 as low_2,
        high_2 * 5 as high_2,
        low_3 * 5 as low_3,
        high_3 * 5 as high_3
    from starts_2
),

bounds as (
    select
        cast((low_1) as varchar) as low_text_1,
        cast((high_1) as varchar) as high_text_1,
        cast((low_2) as varchar) as low_text_2,
        cast((high_2) as varchar) as high_text_2,
        cast((low_3) as varchar) as low_text_3,
        cast((high_3) as varchar) as high_text_3,
        *
    from starts_1
),

final as (
    select
        text as value,
        text as level_0,
        '[' || low_text_1 || ', ' || high_text_1 || ')' as level_1,
        '[' || low_text_2 || ', ' || high_text_2 || ')' as level_2,
        '[' || low_text_3 || ', ' || high_text_3 || ')' as level_3,
        '*' as level_4,
        part_1 as group_1,
        part_2 as group_2,
        part_3 as group_3
    from bounds
)

select * from final
