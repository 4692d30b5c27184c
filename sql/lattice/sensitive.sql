-- builds: sensitive_<column>
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, as label codes for each level, and sensitive or protected value in it, as a code, with its rows, or the persons who have the value only in this set
{% from "lattice/levels.jinja" import level_codes, measured, with_levels %}
select
    {{ level_codes(quasi_identifiers) }},
    counts._value_{{ number }} as _value,
    {{ measured("counts._rows", "sum", is_merged) }} as _value_rows
from {{ with_levels(quasi_identifiers) }}
where counts._attribute = {{ number }}
{% if is_merged %}
group by all
{% endif %}
