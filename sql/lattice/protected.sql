-- builds: protected_<column>
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, as label codes for each level, and protected value in it, as a code, with its rows
{% from "lattice/levels.jinja" import level_codes, with_levels %}
select
    {{ level_codes(quasi_identifiers) }},
    counts._value_{{ number }} as _value,
    cast(sum(counts._rows) as bigint) as _value_rows
from {{ with_levels(quasi_identifiers) }}
where counts._attribute = {{ number }}
group by all
