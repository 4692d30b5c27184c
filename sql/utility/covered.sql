-- builds: covered_<column>
-- reads: levels_<column> or regions (perhaps labels_<column>, ordered_codes_<column>)
-- one row: released label of the column, and the first and last position of neighbouring values under it, in the order of all values
{% set name = attribute.name | ident %}
with {% if not attribute.is_range %}places as (
    select
        *,
        dense_rank() over (order by first) - 1 as _place
    from (
        select
            *,
            min(code) over (partition by level_{{ attribute.least }}) as first
        from {{ ("levels_" ~ attribute.name) | ident }}
    ) as leaders
),

{% endif %}
ranges as (
    {% for level in levels %}
    select distinct
        labels.label as _label,
        places._place as low,
        places._place as high
    from places
    join {{ ("labels_" ~ attribute.name) | ident }} as labels
        on labels.level = {{ level }}
        and labels.code = places.level_{{ level }}
    {{ "union" if not loop.last }}
    {% else %}
    select distinct
        regions.{{ name }} as _label,
        case when regions.{{ name }} = '*' then 0 else regions._low_{{ attribute.number }} end as low,
        case when regions.{{ name }} = '*' then ends.position else least(regions._high_{{ attribute.number }}, ends.position) end as high
    from regions
    cross join (
        select max(position) as position
        from {{ ("ordered_codes_" ~ attribute.name) | ident }}
    ) as ends
    {% endfor %}
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
        count(case when reach is null or low > reach + 1 then 1 end) over (partition by _label order by low, high rows unbounded preceding) as run
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
