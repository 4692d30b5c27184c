-- builds: present_histogram_<column>
-- reads: counts
-- one row: set of quasi-identifier values in the file, and sensitive value, as codes, with its rows, or the persons who have it
select
    {{ keys | idents }},
    _value_{{ number }} as _value,
    _rows as _value_rows
from counts
where _attribute = {{ number }}
