-- builds: lookup_<column>
-- reads: values_<column>
-- one row: code of the data: its text, and on each level its first characters or the range that contains them
with codes as (
    select
        text,
        {% if digits %}
        lpad(text, cast(greatest(length(text), {{ digits }}) as integer), '0') as code
        {% else %}
        upper({{ "translate(text, %s, '')" % (ignore | literal) if ignore else "text" }}) as code
        {% endif %}
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
),

final as (
    select
        text as value,
        text as level_0,
        {% for level in levels %}
        {% if level.kept %}
        left(code, {{ level.kept }}) || '*' as level_{{ loop.index }},
        {% else %}
        case
            {% for label, range in level.ranges %}
            when length(code) >= {{ range.length }} and left(code, {{ range.length }}) between {{ range.first | literal }} and {{ range.last | literal }} then {{ label | literal }}
            {% endfor %}
            {% if other is not none %}
            else {{ other | literal }}
            {% endif %}
        end as level_{{ loop.index }},
        {% endif %}
        {% endfor %}
        {{ top | literal }} as level_{{ levels | length + 1 }}
    from codes
)

select * from final
{% for level in levels if not level.kept %}
{{ "where" if loop.first else "    and" }} level_{{ level.number }} is not null
{% endfor %}
