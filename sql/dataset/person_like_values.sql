-- builds: person_like_values
-- reads: sampled_records
-- one row: column of the sample, with its values, those with few and with some rows, those with several, and of these those with one value of each quasi-identifier
{% for column in range(columns) %}
select
    {{ column }} as _number,
    count(*) as _values,
    count(*) filter (where _rows <= {{ few }}) as _few,
    count(*) filter (where _rows <= {{ many }}) as _some,
    count(*) filter (where _rows > 1) as _repeated{{ "," if quasi_identifiers }}
    {% for qi in range(quasi_identifiers) %}
    count(*) filter (where _rows > 1 and _same_{{ qi }}) as _constant_{{ qi }}{{ "," if not loop.last }}
    {% endfor %}
from (
    select
        {% for qi in range(quasi_identifiers) %}
        min(_value_{{ qi }}) is not distinct from max(_value_{{ qi }}) as _same_{{ qi }},
        {% endfor %}
        count(*) as _rows
    from sampled_records
    where _retained_{{ column }} is not null
    group by
        _retained_{{ column }}
) as seen
{{ "union all" if not loop.last }}
{% endfor %}
