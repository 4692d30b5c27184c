-- builds: combinations
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows
{% from "lattice/levels.jinja" import level_codes, with_levels %}
select
    {{ level_codes(quasi_identifiers) }},
    {% if own_k %}
    _k,
    {% endif %}
    _rows
from {{ with_levels(quasi_identifiers) }}
{% if has_sensitive %}
where counts._attribute = 0
{% endif %}
