-- builds: protected_<column>
-- reads: counts, levels_<column>
-- one row: distinct set of quasi-identifier values, as label codes a level, and protected value in it, as a code, with its rows
select
    {% for qi in quasi_identifiers %}
    {% for level in range(qi.min_level, qi.max_level + 1) %}
    {{ ("levels_" ~ qi.name) | ident }}.level_{{ level }} as {{ (qi.name ~ "_" ~ level) | ident }},
    {% endfor %}
    {% endfor %}
    counts._value_{{ number }} as _value,
    cast(sum(counts._rows) as bigint) as _value_rows
from counts
{% for qi in quasi_identifiers %}
join {{ ("levels_" ~ qi.name) | ident }}
    on counts.{{ qi.name | ident }} = {{ ("levels_" ~ qi.name) | ident }}.code
{% endfor %}
where counts._attribute = {{ number }}
group by all
