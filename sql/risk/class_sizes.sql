-- builds: class_sizes
-- reads: classes (perhaps members)
-- one row: class size, of a relation or of what an adversary sees of it, with the number of classes of this size and their rows
{% from "privacy/seen.jinja" import seen_classes with context %}
with remaining as (
    select *
    from {{ classes }}
    where {{ condition }}
){% if adversary %},

seen as (
    {{ seen_classes("remaining", adversary.known) | indent }}
){% endif %}


select
    {{ size }} as size,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from {{ "seen" if adversary else "remaining" }}
group by
    {{ size }}
order by size
