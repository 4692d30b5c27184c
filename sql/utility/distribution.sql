-- builds: distribution
-- reads: shown_<column>, covered_<column>
-- one row: value in its order, with its rows, its released rows, the rows that the release implies if each label is spread evenly over its values, whether it is missing, and the released rows with a label of all values, which are spread over none
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
        sum(_last - _first + 1) as width
    from {{ ("covered_" ~ column) | ident }}
    group by
        _label
),

hidden as (
    select
        widths._label,
        labels._released
    from widths
    join labels
        on widths._label is not distinct from labels._label
    where
        widths.width > 1
        and widths.width >= (select count(distinct _place) from {{ ("shown_" ~ column) | ident }})
),

shares as (
    select
        covered._first,
        covered._last,
        labels._released / widths.width as _share
    from {{ ("covered_" ~ column) | ident }} as covered
    join labels
        on covered._label is not distinct from labels._label
    join widths
        on covered._label is not distinct from widths._label
    where not exists (select 1 from hidden where hidden._label is not distinct from covered._label)
),

-- a label adds its share from its first value on, and takes it away behind its last one
changes as (
    select
        _place,
        sum(_change) as _change
    from (
        select
            _first as _place,
            _share as _change
        from shares
        union all
        select
            _last + 1 as _place,
            -_share as _change
        from shares
    ) as ends
    group by
        _place
),

estimates as (
    select
        _place,
        round(sum(_change) over (order by _place), 6) as _estimated
    from changes
)

select
    shown._text,
    any_value(shown._is_missing) as _is_missing,
    cast(sum(shown._rows) as bigint) as _rows,
    cast(sum(shown._released) as bigint) as _released,
    any_value(coalesce(estimates._estimated, 0)) as _estimated,
    coalesce((select cast(sum(_released) as bigint) from hidden), 0) as _hidden
from {{ ("shown_" ~ column) | ident }} as shown
asof left join estimates
    on shown._place >= estimates._place
group by
    shown._place,
    shown._text
order by shown._place
