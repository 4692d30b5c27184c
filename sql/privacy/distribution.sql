-- builds: distribution_<column>
-- reads: values_<column> (perhaps value_persons_<column>, hierarchy_<column>)
-- one row: sensitive value, as a code, with its rows (or persons) in the whole table, and those of all values up to it
{% from "privacy/shares.jinja" import shares %}
with counted as (
    select
        present.code as _value,
        {{ "list_position(%s, present.text)" % (order | literal) if order else "present.code" }} as place,
        {% for level in range(height + 1 if height else 0) %}
        hierarchy.level_{{ level }} as _label_{{ level }},
        {% endfor %}
        {% if partly_missing %}
        present.text is null as _is_missing,
        {% endif %}
        {% if persons %}
        persons._persons as _table_rows,
        persons._known_persons,
        persons._all_persons
        {% else %}
        present._rows as _table_rows
        {% endif %}
    from {{ ("values_" ~ column) | ident }} as present
    {% if persons %}
    join {{ ("value_persons_" ~ column) | ident }} as persons
        on present.code = persons.code
    {% endif %}
    {% if height %}
    join {{ ("hierarchy_" ~ column) | ident }} as hierarchy
        on present.text is not distinct from hierarchy.value
    {% endif %}
),

{{ shares(height, persons, partly_missing) }}
