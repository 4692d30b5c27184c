-- builds: reference_<column>
-- reads: records (perhaps hierarchy_<column>)
-- one row: sensitive value, as text, with its rows in the whole source, and how many rows values up to it have
{% from "privacy/shares.jinja" import shares %}
with present as (
    select
        {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % (column | ident, floating, floating) if floating else "cast(%s as varchar)" % (column | ident) }} as _value,
        {% if order %}
        min(list_position({{ order | literal }}, cast({{ column | ident }} as varchar))) as place,
        {% else %}
        dense_rank() over (order by min({{ column | ident }}) nulls last) as place,
        {% endif %}
        cast(count(*) as bigint) as _table_rows
    from records
    group by {{ "cast(cast(%s as %s) + cast(0 as %s) as varchar)" % (column | ident, floating, floating) if floating else "cast(%s as varchar)" % (column | ident) }}
),

counted as (
    select
        present.*{{ "," if height }}
        {% for level in range(height + 1 if height else 0) %}
        hierarchy.level_{{ level }} as _label_{{ level }}{{ "," if not loop.last }}
        {% endfor %}
    from present
    {% if height %}
    join {{ ("hierarchy_" ~ column) | ident }} as hierarchy
        on present._value is not distinct from hierarchy.value
    {% endif %}
),

{{ shares(height) }}
