-- builds: entity_places
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values and person, with the rows, and the number of such sets that the person is seen in
with places as (
    select
        {% for qi in quasi_identifiers %}
        {% for level in range(qi.min_level, qi.max_level + 1) %}
        {{ ("levels_" ~ qi.name) | ident }}.level_{{ level }} as {{ (qi.name ~ "_" ~ level) | ident }},
        {% endfor %}
        {% endfor %}
        _entity,
        {% if own_k %}
        max(_k) as _k,
        {% endif %}
        cast(sum(_rows) as bigint) as _rows
    from counts
    {% for qi in quasi_identifiers %}
    join {{ ("levels_" ~ qi.name) | ident }}
        on counts.{{ qi.name | ident }} = {{ ("levels_" ~ qi.name) | ident }}.code
    {% endfor %}
    {% if has_sensitive %}
    where counts._attribute = 0
    {% endif %}
    group by all
)

select
    *,
    count(*) over (partition by _entity) as _places
from places
