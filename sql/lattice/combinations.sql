-- builds: combinations
-- reads: counts, levels_<column> (perhaps population_counts)
-- one row: distinct set of quasi-identifier values, as label codes for each level, with its rows
{% from "lattice/levels.jinja" import level_codes, measured, with_levels %}
{% if population %}
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

{% endif %}
select
    {{ level_codes(quasi_identifiers) }},
    {% if own_k %}
    {{ measured("_k", "max", is_merged) }} as _k,
    {% endif %}
    {% if population %}
    {{ measured("_population", "sum", is_merged) }} as _population,
    {% endif %}
    {{ measured("_rows", "sum", is_merged) }} as _rows
from {{ with_levels(quasi_identifiers, "together" if population else "counts") }}
{% if has_sensitive and not population %}
where counts._attribute = 0
{% endif %}
{% if is_merged %}
group by all
{% endif %}
