-- builds: visible_values
-- reads: combinations, labels_<column>, written_classes
-- one row: value of a quasi-identifier, with its rows, and the released rows that show it
with present as (
    select
        labels.label,
        sum(combinations._rows) as _rows
    from combinations
    join {{ ("labels_" ~ attribute.name) | ident }} as labels
        on labels.level = {{ attribute.min_level }}
        and labels.code = combinations.{{ attribute.key(attribute.min_level) | ident }}
    group by
        labels.label
),

shown as (
    select
        cast({{ attribute.name | ident }} as varchar) as label,
        sum(_rows) as _rows
    from written_classes
    group by
        {{ attribute.name | ident }}
)

select
    cast(present._rows as bigint) as _rows,
    cast(coalesce(shown._rows, 0) as bigint) as _shown
from present
left join shown
    on present.label is not distinct from shown.label
