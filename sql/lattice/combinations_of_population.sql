-- builds: combinations
-- reads: counts, levels_<column>, population_counts
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows
{% from "lattice/levels.jinja" import level_codes, with_levels %}
{% set names = quasi_identifiers | map(attribute="name") | list %}
with together as (
    select
        {{ names | idents | indent }},
        {% if own_k %}
        _k,
        {% endif %}
        0 as _population,
        _rows
    from counts
    {% if has_sensitive %}
    where _attribute = 0
    {% endif %}
    union all
    select
        {{ names | idents | indent }},
        {% if own_k %}
        null as _k,
        {% endif %}
        _population,
        0 as _rows
    from population_counts
)

select
    {{ level_codes(quasi_identifiers) }},
    {% if own_k %}
    max(_k) as _k,
    {% endif %}
    cast(sum(_population) as bigint) as _population,
    cast(sum(_rows) as bigint) as _rows
from {{ with_levels(quasi_identifiers, "together") }}
group by all
