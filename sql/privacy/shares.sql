-- builds: shares_<column>
-- reads: values_<column> (perhaps hierarchy_<column>)
-- one row: sensitive value, as a code, with its rows in the whole table, and how many rows values up to it have
{% from "privacy/shares.jinja" import shares %}
with counted as (
    select
        present.code as _value,
        {% if order %}
        list_position({{ order | literal }}, present.text) as place,
        {% else %}
        present.code as place,
        {% endif %}
        {% for level in range(height + 1 if height else 0) %}
        hierarchy.level_{{ level }} as _label_{{ level }},
        {% endfor %}
        present._rows as _table_rows
    from {{ ("values_" ~ column) | ident }} as present
    {% if height %}
    join {{ ("hierarchy_" ~ column) | ident }} as hierarchy
        on present.text is not distinct from hierarchy.value
    {% endif %}
),

{{ shares(height) }}
