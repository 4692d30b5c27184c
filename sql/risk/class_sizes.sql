-- builds: class_sizes
-- reads: classes or combinations (perhaps members, combination_entities)
-- one row: class size, of a relation, of the labels of a node, or of what an adversary sees, with the number of classes of this size and their rows
{% from "privacy/classes.jinja" import classes_of with context %}
{% from "privacy/seen.jinja" import seen_classes with context %}
with remaining as (
    {% if labels %}
    {{ classes_of("combinations", labels) | indent }}
    {% else %}
    select *
    from {{ classes }}
    where {{ condition }}
    {% endif %}
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
