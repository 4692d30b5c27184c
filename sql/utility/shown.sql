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
)

select
    places._place,
    places._is_missing,
    labels.label as _text,
    outcomes.{{ attribute.name | ident }} as code,
    outcomes._label_{{ attribute.number }} as _label,
    sum(outcomes._rows) as _rows,
    coalesce(sum(outcomes._rows) filter (where not outcomes._fails), 0) as _released
from outcomes
join places
    on outcomes.{{ attribute.name | ident }} = places.code
join {{ ("labels_" ~ attribute.name) | ident }} as labels
    on labels.level = {{ attribute.least }}
    and labels.code = outcomes.{{ attribute.name | ident }}
group by
    places._place,
    places._is_missing,
    labels.label,
    outcomes.{{ attribute.name | ident }},
    outcomes._label_{{ attribute.number }}
