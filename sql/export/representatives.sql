-- builds: values_<column>
-- reads: nothing; the spec lists its lines
-- one row: value that represents a range in which a rule gives a single label
select
    cast(value as {{ type }}) as value,
    cast(cast(value as {{ type }}) as varchar) as text,
    code,
    false as missing
from (
    values
        {% for value in values %}
        ({{ value | literal }}, {{ loop.index0 }}){{ "," if not loop.last }}
        {% endfor %}
) as listed (value, code)
