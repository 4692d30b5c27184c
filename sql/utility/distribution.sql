-- builds: distribution
-- reads: shown_<column>, covered_<column>
-- one row: value in its order, with its rows, those of them that are released, and the rows that the release says when it is spread evenly over the values under each label
with labels as (
    select
        _label,
        sum(_released) as _released
    from {{ ("shown_" ~ column) | ident }}
    group by
        _label
),

widths as (
    select
        _label,
        count(*) as width
    from {{ ("covered_" ~ column) | ident }}
    group by
        _label
),

estimates as (
    select
        covered._place,
        sum(labels._released / widths.width) as _estimated
    from {{ ("covered_" ~ column) | ident }} as covered
    join labels
        on covered._label is not distinct from labels._label
    join widths
        on covered._label is not distinct from widths._label
    group by
        covered._place
)

select
    shown._text,
    cast(sum(shown._rows) as bigint) as _rows,
    cast(sum(shown._released) as bigint) as _released,
    any_value(coalesce(estimates._estimated, 0)) as _estimated
from {{ ("shown_" ~ column) | ident }} as shown
left join estimates
    on shown._place = estimates._place
group by
    shown._place,
    shown._text
order by shown._place
