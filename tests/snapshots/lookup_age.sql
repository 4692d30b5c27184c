-- builds: lookup_<column>
-- reads: values_<column>
-- one row: number of the data: its text, the interval [low, high) that holds it on each level
with numbers as (
    select
        text,
        cast(value as hugeint) - 1 as number
    from "values_age"
    where value is not null and not missing
),

bounds as (
    select
        text,
        number - ((number % 5) + 5) % 5 + 1 as low_1,
        number - ((number % 10) + 10) % 10 + 1 as low_2
    from numbers
),

final as (
    select
        text as value,
        text as level_0,
        '[' || low_1 || ', ' || (low_1 + 5) || ')' as level_1,
        '[' || low_2 || ', ' || (low_2 + 10) || ')' as level_2,
        '*' as level_3
    from bounds
)

select * from final
