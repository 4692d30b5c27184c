-- builds: sensitive_<column>
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, as label codes for each level, and sensitive value in it, as a code, with its rows, or the persons who have the value only in this set
{% from "lattice/levels.jinja" import level_codes, with_levels %}
select
    {{ level_codes(quasi_identifiers) }},
    counts._value_{{ number }} as _value,
    counts._rows as _value_rows
from {{ with_levels(quasi_identifiers) }}
where counts._attribute = {{ number }}
