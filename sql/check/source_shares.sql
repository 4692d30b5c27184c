-- builds: source_shares_<column>
-- reads: source_distributions, values_<column>
-- one row: sensitive value, as a code if the file has it, with its rows in the whole source, and the rows of all values up to it
{% from "privacy/shares.jinja" import shares %}
with counted as (
    select
        present.code as _value,
        {% for level in range(height + 1 if height else 0) %}
        saved.labels[{{ level + 1 }}] as _label_{{ level }},
        {% endfor %}
        saved.place,
        {% if partly_missing %}
        saved.value is null as _is_missing,
        {% endif %}
        saved._rows as _table_rows
    from source_distributions as saved
    left join {{ ("values_" ~ column) | ident }} as present
        on saved.value is not distinct from present.text
    where saved.sensitive = {{ column | literal }}
),

{{ shares(height, false, partly_missing) }}
