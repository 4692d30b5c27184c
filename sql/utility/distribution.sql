-- builds: distribution
-- reads: shown_<column>
-- one row: value in its order, with its rows, those of them that are released, and the rows that the release says when it is spread evenly over the values under each label
with labels as (
    select
        _label,
        sum(_released) as _released,
        count(*) as places
    from {{ ("shown_" ~ column) | ident }}
    group by
        _label
)

select
    shown._text,
    cast(sum(shown._rows) as bigint) as _rows,
    cast(sum(shown._released) as bigint) as _released,
    sum(labels._released / labels.places) as _estimated
from {{ ("shown_" ~ column) | ident }} as shown
join labels
    on shown._label is not distinct from labels._label
group by
    shown._place,
    shown._text
order by shown._place
