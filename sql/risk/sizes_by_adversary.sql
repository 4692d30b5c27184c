-- builds: sizes_by_adversary
-- reads: classes (perhaps members)
-- one row: size of the classes of an adversary, with the number of classes of this size and their rows
{% from "privacy/seen.jinja" import seen_classes with context %}
with remaining as (
    select *
    from {{ relation }}
    where
        _rows > 0
        {% if without is not none %}
        and not {{ without }}
        {% endif %}
),

seen as (
    {{ seen_classes("remaining", adversary.known) | indent }}
)

select
    {{ size }} as size,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from seen
group by
    {{ size }}
order by size
