-- builds: covered_<column>
-- reads: levels_<column>, labels_<column>
-- one row: released label of the column, and the first and last position of neighbouring values under it, in the order of all values
with places as (
    select
        *,
        dense_rank() over (order by first) as _place
    from (
        select
            *,
            min(code) over (partition by level_{{ attribute.least }}) as first
        from {{ ("levels_" ~ attribute.name) | ident }}
    ) as leaders
),

covered as (
    {% for level in levels %}
    select distinct
        labels.label as _label,
        places._place
    from places
    join {{ ("labels_" ~ attribute.name) | ident }} as labels
        on labels.level = {{ level }}
        and labels.code = places.level_{{ level }}
    {% if not loop.last %}
    union
    {% endif %}
    {% endfor %}
),

numbered as (
    select
        *,
        _place - row_number() over (partition by _label order by _place) as run
    from covered
)

select
    _label,
    min(_place) as _first,
    max(_place) as _last
from numbered
group by
    _label,
    run
