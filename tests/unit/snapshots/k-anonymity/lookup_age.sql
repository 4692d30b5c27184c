-- builds: lookup_<column>
-- reads: values_<column>
-- one row: value of the data: its text, and on each level the interval that contains it, with the number of the interval
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
        step - 1 as position
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

starts_2 as (
    select
        text,
        part_1,
        part_2,
        part_2 * 2 as low_2,
        (part_2 + 1) * 2 as high_2
    from parts_2
),

starts_1 as (
    select
        text,
        part_1,
        part_2,
        part_1 * 5 as low_1,
        (part_1 + 1) * 5 as high_1,
        low_2 * 5 as low_2,
        high_2 * 5 as high_2
    from starts_2
),

bounds as (
    select
        cast((low_1 + 1) as varchar) as low_text_1,
        cast((high_1 + 1) as varchar) as high_text_1,
        cast((low_2 + 1) as varchar) as low_text_2,
        cast((high_2 + 1) as varchar) as high_text_2,
        *
    from starts_1
),

final as (
    select
        text as value,
        text as level_0,
        '[' || low_text_1 || ', ' || high_text_1 || ')' as level_1,
        '[' || low_text_2 || ', ' || high_text_2 || ')' as level_2,
        '*' as level_3,
        part_1 as group_1,
        part_2 as group_2
    from bounds
)

select * from final
