-- builds: value_places_<column>
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, sensitive value and person, with the number of such sets in which the person has the value
with places as (
    select distinct
        {% for qi in quasi_identifiers %}
        {% for level in range(qi.min_level, qi.max_level + 1) %}
        {{ ("levels_" ~ qi.name) | ident }}.level_{{ level }} as {{ (qi.name ~ "_" ~ level) | ident }},
        {% endfor %}
        {% endfor %}
        counts._value_{{ number }} as _value,
        counts._entity
    from counts
    {% for qi in quasi_identifiers %}
    join {{ ("levels_" ~ qi.name) | ident }}
        on counts.{{ qi.name | ident }} = {{ ("levels_" ~ qi.name) | ident }}.code
    {% endfor %}
    where counts._attribute = {{ number }}
)

select
    *,
    count(*) over (partition by _entity, _value) as _places
from places
