-- builds: present_histogram_<column>
-- reads: counts
-- one row: set of quasi-identifier values in the file, and sensitive value, as codes, with its rows
select
    {% for qi in quasi_identifiers %}
    {{ qi | ident }},
    {% endfor %}
    _value_{{ number }} as _value,
    _rows as _value_rows
from counts
where _attribute = {{ number }}
