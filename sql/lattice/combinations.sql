-- builds: combinations
-- reads: counts, levels_<column> (perhaps population_counts)
-- one row: distinct set of quasi-identifier values, as label codes a level, with its rows
select
    {% for qi in quasi_identifiers %}
    {% for level in range(qi.min_level, qi.max_level + 1) %}
    {{ ("levels_" ~ qi.name) | ident }}.level_{{ level }} as {{ (qi.name ~ "_" ~ level) | ident }},
    {% endfor %}
    {% endfor %}
    {% if own_k %}
    {{ "max(_k)" if merged else "_k" }} as _k,
    {% endif %}
    {% if population %}
    cast(sum(_population) as bigint) as _population,
    {% endif %}
    {{ "cast(sum(_rows) as bigint)" if merged else "_rows" }} as _rows
{% if population %}
from (
    select
        {% for qi in quasi_identifiers %}
        {{ qi.name | ident }},
        {% endfor %}
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
        {% for qi in quasi_identifiers %}
        {{ qi.name | ident }},
        {% endfor %}
        {% if own_k %}
        null as _k,
        {% endif %}
        _population,
        0 as _rows
    from population_counts
) as counts
{% else %}
from counts
{% endif %}
{% for qi in quasi_identifiers %}
join {{ ("levels_" ~ qi.name) | ident }}
    on counts.{{ qi.name | ident }} = {{ ("levels_" ~ qi.name) | ident }}.code
{% endfor %}
{% if has_sensitive and not population %}
where counts._attribute = 0
{% endif %}
{% if merged %}
group by all
{% endif %}
