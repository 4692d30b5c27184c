-- builds: combinations
-- reads: counts, levels_<column>
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
    {{ "cast(sum(_rows) as bigint)" if merged else "_rows" }} as _rows
from counts
{% for qi in quasi_identifiers %}
join {{ ("levels_" ~ qi.name) | ident }}
    on counts.{{ qi.name | ident }} = {{ ("levels_" ~ qi.name) | ident }}.code
{% endfor %}
{% if merged %}
group by all
{% endif %}
