-- builds: entity_places
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values and person, with the rows, and the number of sets that the person has; 2 if several columns are counted, because each may have a person in other sets
{% from "lattice/levels.jinja" import level_codes, with_levels %}
{% from "privacy/persons.jinja" import people %}
with places as (
    select
        {{ level_codes(quasi_identifiers) | indent }},
        {{ people(persons) | indent(8) }},
        {% if own_k %}
        max(_k) as _k,
        {% endif %}
        cast(sum(_rows) as bigint) as _rows
    from {{ with_levels(quasi_identifiers) | indent }}
    {% if has_sensitive %}
    where counts._attribute = 0
    {% endif %}
    group by all
)

select
    *,
    {{ "count(*) over (partition by _entity)" if persons == 1 else 2 }} as _places
from places
