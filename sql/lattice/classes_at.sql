-- builds: classes_at
-- reads: combinations (perhaps combination_entities)
-- one row: equivalence class of a node, as label codes
{% set parts = keys | map("ident") | join(",\n    ") %}
{% if persons %}
select
    {{ parts }},
    cast(sum(_rows) as bigint) as _rows,
    {% if own_k %}
    max(_k) as _k,
    {% endif %}
    {% if population %}
    cast(sum(_population) as bigint) as _population,
    {% endif %}
    cast(sum(_persons) as bigint) as _persons
from (
    select
        {{ parts }},
        _rows,
        {% if own_k %}
        _k,
        {% endif %}
        {% if population %}
        _population,
        {% endif %}
        _persons
    from combinations
    union all
    select
        {{ parts }},
        0 as _rows,
        {% if own_k %}
        null as _k,
        {% endif %}
        {% if population %}
        0 as _population,
        {% endif %}
        count(distinct _entity) + max(case when _entity is null then 1 else 0 end) as _persons
    from combination_entities
    group by
        {{ parts }}
) as seen
group by
    {{ parts }}
{% if population %}
having sum(_rows) > 0
{% endif %}
{% else %}
select
    {{ parts }},
    {% if own_k %}
    max(_k) as _k,
    {% endif %}
    {% if population %}
    cast(sum(_population) as bigint) as _population,
    {% endif %}
    cast(sum(_rows) as bigint) as _rows
from combinations
group by
    {{ parts }}
{% if population %}
having sum(_rows) > 0
{% endif %}
{% endif %}
