-- builds: protected_<column>
-- reads: combinations
-- one row: distinct set of quasi-identifier values, as label codes for each level, and its protected value, as the code of the lowest label, with its rows
select
    {% for qi in quasi_identifiers %}
    {% for level in range(qi.min_level, qi.max_level + 1) %}
    {{ (qi.name ~ "_" ~ level) | ident }},
    {% endfor %}
    {% endfor %}
    {{ key | ident }} as _value,
    _rows as _value_rows
from combinations
where _rows > 0
