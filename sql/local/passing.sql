-- builds: passing
-- reads: remaining (perhaps cell_entities, cell_values_<column>, shares_<column>, decided_entropies)
-- one row: class that a pass makes of what remains, and that satisfies the requirement
with classes as (
    select
        {% for key in class_keys %}
        {{ key | ident }},
        {% endfor %}
        {% if own_k %}
        max(_k) as _k,
        {% endif %}
        {% if population %}
        cast(sum(_population) as bigint) as _population,
        {% endif %}
        {% if persons %}
        cast(sum(_persons) as bigint) as _persons,
        {% endif %}
        cast(sum(_rows) as bigint) as _rows
    from {% if persons %}(
        select
            {% for key in class_keys %}
            {{ key | ident }},
            {% endfor %}
            {% if own_k %}
            _k,
            {% endif %}
            _persons,
            _rows
        from remaining
        union all by name
        select
            {% for key in class_keys %}
            remaining.{{ key | ident }},
            {% endfor %}
            count(distinct seen._entity) + max(case when seen._entity is null then 1 else 0 end) as _persons,
            0 as _rows
        from remaining
        join cell_entities as seen
            on remaining._cell = seen._cell
        group by
            {% for key in class_keys %}
            remaining.{{ key | ident }}{{ "," if not loop.last }}
            {% endfor %}
    ) as remaining
    {%- else %}remaining
    {%- endif +%}
    group by
        {% for key in class_keys %}
        {{ key | ident }}{{ "," if not loop.last }}
        {% endfor %}
    having sum(_rows) > 0
),
{% for sensitive in sensitives %}

{{ sensitive.histogram }} as (
    select
        {% for key in class_keys %}
        remaining.{{ key | ident }},
        {% endfor %}
        seen._value,
        cast(sum(seen._value_rows) as bigint) as _value_rows
    from remaining
    join {{ ("cell_values_" ~ sensitive.column) | ident }} as seen
        on remaining._cell = seen._cell
    group by
        {% for key in class_keys %}
        remaining.{{ key | ident }},
        {% endfor %}
        seen._value
),
{% endfor %}

verdicts as (
{% include verdicts_template +%}
)

select *
from verdicts
where not _fails
