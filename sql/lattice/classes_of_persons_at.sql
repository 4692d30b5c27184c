-- builds: classes_at
-- reads: combinations, combination_entities
-- one row: equivalence class of a node, as label codes, with its rows and its persons
{% from "privacy/persons.jinja" import distinct_persons %}
{% from "lattice/measures.jinja" import totals with context %}
select
    {{ keys | idents }},
    {{ totals() | indent }}
from (
    select
        {{ keys | idents | indent }},
        {% if own_k %}
        _k,
        {% endif %}
        _persons,
        {% if persons > 1 %}
        0 as _primary_persons,
        {% endif %}
        {% if adversaries %}
        _persons as _persons_of_one_set,
        {% endif %}
        _rows
    from combinations
    union all
    select
        {{ keys | idents | indent }},
        {% if own_k %}
        null as _k,
        {% endif %}
        {{ distinct_persons(persons) }} as _persons,
        {% if persons > 1 %}
        {{ distinct_persons(1) }} as _primary_persons,
        {% endif %}
        {% if adversaries %}
        0 as _persons_of_one_set,
        {% endif %}
        0 as _rows
    from combination_entities
    group by
        {{ keys | idents | indent }}
) as seen
group by
    {{ keys | idents }}
