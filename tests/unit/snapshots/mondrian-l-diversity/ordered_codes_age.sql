-- builds: ordered_codes_<column>
-- reads: values_<column>, levels_<column>, labels_<column> (perhaps hierarchy_<column>)
-- one row: label code that identifies cells, with its position in the order by which the column is cut
with present as (
    select
        levels.level_0 as code,
        min(present.value) as place,
        min(cast(cast(present.value as hugeint) - lowest.value as double)) as point,
        bool_and(not present.missing and present.value is not null) as is_placed,
        cast(sum(present._rows) as bigint) as _rows
    from "values_age" as present
    join "levels_age" as levels
        on present.code = levels.code
    cross join (
        select min(cast(value as hugeint)) as value
        from "values_age"
        where not missing
    ) as lowest
    group by levels.level_0
),

placed as (
    select
        *,
        row_number() over (order by is_placed desc, place nulls last, code) - 1 as position
    from present
),

leaves as (
    select
        code,
        place,
        is_placed
    from present
),

counted as (
    select
        code,
        count(*) over (order by place) as leaves
    from leaves
    where is_placed and place is not null
),

final as (
    select
        placed.code,
        cast(placed.position as integer) as position,
        labels.label,
        labels.loss,
        placed.is_placed,
        placed.place,
        placed.point,
        coalesce(counted.leaves, 0) as leaves,
        placed._rows,
        cast(sum(placed._rows) over (order by placed.position) as bigint) as _cumulative_rows
    from placed
    join "labels_age" as labels
        on labels.level = 0
        and labels.code = placed.code
    left join counted
        on counted.code = placed.code
)

select * from final
order by position
