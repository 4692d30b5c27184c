-- builds: label_rows
-- reads: lookup_<column>, values_<column>
-- one row: label that meets a condition, with the rows of the data under it
with labelled as (
    select
        unnest([{{ levels | join(", ") }}]) as level,
        unnest([lookup.level_{{ levels | join(", lookup.level_") }}]) as label,
        present._rows
    from {{ ("lookup_" ~ column) | ident }} as lookup
    join {{ ("values_" ~ column) | ident }} as present
        on lookup.value is not distinct from present.text
)

select
    level,
    label,
    cast(sum(_rows) as bigint) as _rows
from labelled
where {{ condition }}
group by level, label
