-- builds: written_shares_<column>
-- reads: written_histogram_<column>, reference_<column>
-- one row: sensitive value, as text, with its rows in the written file, and the rows of all values up to it
{% from "privacy/shares.jinja" import shares %}
with counted as (
    select
        reference._value,
        reference._position as place,
        {% if partly_missing %}
        reference._value is null as _is_missing,
        {% endif %}
        {% for level in range(height + 1 if height else 0) %}
        any_value(reference._label_{{ level }}) as _label_{{ level }},
        {% endfor %}
        cast(sum(histogram._value_rows) as bigint) as _table_rows
    from {{ ("written_histogram_" ~ column) | ident }} as histogram
    join {{ ("reference_" ~ column) | ident }} as reference
        on histogram._value is not distinct from reference._value
    group by
        reference._value,
        reference._position
),

{{ shares(height, false, partly_missing) }}
