-- builds: reference_<column>
-- reads: value_groups_<column> (perhaps hierarchy_<column>)
-- one row: sensitive value, as text, with its rows (or persons) in the whole source, and those of all values up to it
{% from "privacy/shares.jinja" import shares %}
{% from "dataset/numbers.jinja" import holds_numbers, order_of, text_of with context %}
with {% if is_text and not order %}kind as (
    select {{ holds_numbers("_value") }} as holds_numbers
    from {{ ("value_groups_" ~ column) | ident }}
),

{% endif %}
present as (
    select
        {{ text_of("groups._value", floating) }} as _value,
        {% if order %}
        min(list_position({{ order | literal }}, cast(groups._value as varchar))) as place,
        {% else %}
        dense_rank() over (order by {% if is_text %}case when any_value(kind.holds_numbers) then min({{ order_of("groups._value") }}) end nulls last, {% endif %}min(groups._value) nulls last) as place,
        {% endif %}
        cast(sum(groups._rows) as bigint) as _table_rows{{ "," if persons }}
        {% if persons %}
        max(groups._known_persons) as _known_persons,
        max(groups._all_persons) as _all_persons
        {% endif %}
    from {{ ("value_groups_" ~ column) | ident }} as groups
    {% if is_text and not order %}
    cross join kind
    {% endif %}
    group by {{ text_of("groups._value", floating) }}
),

counted as (
    select
        present.*{{ "," if height or partly_missing }}
        {% if partly_missing %}
        present._value is null as _is_missing{{ "," if height }}
        {% endif %}
        {% for level in range(height + 1 if height else 0) %}
        hierarchy.level_{{ level }} as _label_{{ level }}{{ "," if not loop.last }}
        {% endfor %}
    from present
    {% if height %}
    join {{ ("hierarchy_" ~ column) | ident }} as hierarchy
        on present._value is not distinct from hierarchy.value
    {% endif %}
),

{{ shares(height, persons, partly_missing) }}
