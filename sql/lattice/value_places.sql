-- builds: value_places_<column>
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, sensitive value and person, with the number of sets in which the person has the value
{% from "lattice/levels.jinja" import level_codes, with_levels %}
with places as (
    select distinct
        {{ level_codes(quasi_identifiers) | indent }},
        counts._value_{{ number }} as _value,
        counts._entity
    from counts
    {{ with_levels(quasi_identifiers) | indent }}
    where counts._attribute = {{ number }}
)

select
    *,
    count(*) over (partition by _entity, _value) as _places
from places
