-- builds: value_places_<column>
-- reads: counts, levels_<column> (perhaps values_<column>)
-- one row: distinct set of quasi-identifier values, sensitive value and person, with the number of sets in which the person has the value
{% from "lattice/levels.jinja" import level_codes, with_levels %}
with places as (
    select distinct
        {{ level_codes(quasi_identifiers) | indent }},
        counts._value_{{ number }} as _value,
        counts._entity
    from {{ with_levels(quasi_identifiers) | indent }}
    where counts._attribute = {{ number }}
    {% if known_value is not none %}
    union all
    -- the persons with any value that is not missing
    select distinct
        {{ level_codes(quasi_identifiers) | indent }},
        {{ known_value }} as _value,
        counts._entity
    from {{ with_levels(quasi_identifiers) | indent }}
    join {{ ("values_" ~ column) | ident }} as present
        on counts._value_{{ number }} = present.code
    where counts._attribute = {{ number }}
        and present.text is not null
    {% endif %}
)

select
    *,
    count(*) over (partition by _entity, _value) as _places
from places
