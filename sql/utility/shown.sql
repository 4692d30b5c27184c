-- builds: shown_<column>
-- reads: outcomes, levels_<column>, labels_<column>
-- one row: value and label that it is released under, with the value's place in the order of all, its rows, and those that are released
with places as (
    select
        level_{{ attribute.least }} as code,
        row_number() over (order by min(code)) as _place
    from {{ ("levels_" ~ attribute.name) | ident }}
    group by
        level_{{ attribute.least }}
)

select
    places._place,
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
    labels.label,
    outcomes.{{ attribute.name | ident }},
    outcomes._label_{{ attribute.number }}
