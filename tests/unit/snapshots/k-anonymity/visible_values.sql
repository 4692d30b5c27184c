-- builds: visible_values
-- reads: combinations, labels_<column>, written_classes
-- one row: value of a quasi-identifier, with its rows, and the released rows that show it
with present as (
    select
        labels.label,
        sum(combinations._rows) as _rows
    from combinations
    join "labels_age" as labels
        on labels.level = 0
        and labels.code = combinations."age_0"
    group by
        labels.label
),

shown as (
    select
        cast("age" as varchar) as label,
        sum(_rows) as _rows
    from written_classes
    group by
        "age"
)

select
    cast(present._rows as bigint) as _rows,
    cast(coalesce(shown._rows, 0) as bigint) as _shown
from present
left join shown
    on present.label is not distinct from shown.label
