-- builds: covered_<column>
-- reads: regions, ordered_codes_<column>
-- one row: released label of the column, and the first and last position of neighbouring values under it, in the order of all values
with ranges as (
    select distinct
        regions.{{ attribute.name | ident }} as _label,
        case when regions.{{ attribute.name | ident }} = '*' then 0 else regions._low_{{ attribute.number }} end as low,
        case when regions.{{ attribute.name | ident }} = '*' then ends.position else least(regions._high_{{ attribute.number }}, ends.position) end as high
    from regions
    cross join (
        select max(position) as position
        from {{ ("ordered_codes_" ~ attribute.name) | ident }}
    ) as ends
),

reached as (
    select
        *,
        max(high) over (partition by _label order by low, high rows between unbounded preceding and 1 preceding) as reach
    from ranges
    where low <= high
),

numbered as (
    select
        *,
        count(case when reach is null or low > reach then 1 end) over (partition by _label order by low, high rows unbounded preceding) as run
    from reached
)

select
    _label,
    min(low) + 1 as _first,
    max(high) + 1 as _last
from numbered
group by
    _label,
    run
