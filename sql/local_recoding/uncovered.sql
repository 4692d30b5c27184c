-- builds: uncovered
-- reads: region_assignments, regions, recoding_<column> (perhaps hierarchy_<column>)
-- one row: value and the label under which it would be released, if the label does not cover the value
{% from "mondrian/place.jinja" import place with context %}
{% set name = attribute.name | ident %}
{% set own_place = place(attribute, "cast(shown.value as varchar)") if attribute.is_ordered and attribute.by_text else "shown.value" %}
with pairs as materialized (
    select distinct
        region_assignments.{{ name }} as code,
        regions.{{ name }} as label{{ "," if attribute.is_ordered }}
        {% if attribute.is_ordered %}
        regions._from_{{ attribute.number }} as least,
        regions._to_{{ attribute.number }} as most
        {% endif %}
    from region_assignments
    join regions
        on region_assignments._region = regions._region
),

shown as (
    select
        recoding.value,
        pairs.* exclude (code)
    from pairs
    join {{ ("recoding_" ~ attribute.name) | ident }} as recoding
        on pairs.code = recoding.code
)

select
    shown.value,
    shown.label
from shown
{% if attribute.is_ordered %}
where shown.label is distinct from cast(shown.value as varchar)
    and shown.label is distinct from '*'
    and (
        (shown.label = '<= ' || shown.most or {{ own_place }} >= {{ place(attribute, "shown.least") }})
        and (shown.label = '>= ' || shown.least or {{ own_place }} <= {{ place(attribute, "shown.most") }})
    ) is not true
{% else %}
join {{ ("hierarchy_" ~ attribute.name) | ident }} as hierarchy
    on cast(shown.value as varchar) is not distinct from hierarchy.value
where not (
    {% for level in range(attribute.least, attribute.height + 1) %}
    shown.label is not distinct from hierarchy.level_{{ level }}{{ " or" if not loop.last }}
    {% endfor %}
)
{% endif %}
