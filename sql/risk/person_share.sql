-- builds: person_share
-- reads: counts or expected_members, written_classes
-- one row: the persons in classes: the largest share of the rows of a class that are of one person
{% from "privacy/same_class.jinja" import same_class %}
with members as (
    select
        {{ keys | idents | indent }},
        _entity,
        sum(_rows) as _rows
    from {{ relation }}
    {% if has_sensitive %}
    where _attribute = 0
    {% endif %}
    group by
        {{ keys | idents | indent }},
        _entity
),

classes as (
    select
        {{ keys | idents | indent }},
        max(_rows) as _largest,
        sum(_rows) as _rows
    from members
    group by
        {{ keys | idents | indent }}
)

select cast(coalesce(max(cast(classes._largest as double) / classes._rows), 0) as double) as share
from classes
{% if within %}
join {{ within }} as released
    on {{ same_class(within_keys, "classes", "released") }}
{% endif %}
