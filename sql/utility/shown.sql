-- builds: shown_<column>
-- reads: outcomes, values_<column>, levels_<column>, labels_<column>
-- one row: value and its released label, with the position of the value in the order of all values, whether it is missing, its rows, and its released rows
with places as (
    select
        levels.level_{{ attribute.least }} as code,
        row_number() over (order by min(levels.code)) as _place,
        bool_and(present.missing or present.value is null) as _is_missing
    from {{ ("levels_" ~ attribute.name) | ident }} as levels
    join {{ ("values_" ~ attribute.name) | ident }} as present
        on levels.code = present.code
    group by
        levels.level_{{ attribute.least }}
),

cells as (
    select
        {{ attribute.name | ident }} as code,
        _label_{{ attribute.number }} as _label,
        sum(_rows) as _rows,
        coalesce(sum(_rows) filter (where not _fails), 0) as _released
    from outcomes
    group by
        {{ attribute.name | ident }},
        _label_{{ attribute.number }}
)

select
    places._place,
    places._is_missing,
    labels.label as _text,
    cells.code,
    cells._label,
    cells._rows,
    cells._released
from cells
join places
    on cells.code = places.code
join {{ ("labels_" ~ attribute.name) | ident }} as labels
    on labels.level = {{ attribute.least }}
    and labels.code = cells.code
