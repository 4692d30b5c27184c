-- builds: covered_<column>
-- reads: levels_<column>, labels_<column>
-- one row: released label of the column, and position of a value under it, in the order of all values
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
)

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
