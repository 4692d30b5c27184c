-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, with its rows
select
    {% for qi in quasi_identifiers %}
    {{ ("values_" ~ qi) | ident }}.code as {{ qi | ident }},
    {% endfor %}
    {% if k_column is not none %}
    cast(max(records.{{ k_column | ident }}) as bigint) as _k,
    {% endif %}
    {% if entity is not none %}
    records.{{ entity | ident }} as _entity,
    {% endif %}
    cast(count(*) as bigint) as _rows
from records
{% for qi in quasi_identifiers %}
join {{ ("values_" ~ qi) | ident }}
    on records.{{ qi | ident }} is not distinct from {{ ("values_" ~ qi) | ident }}.value
{% endfor %}
group by
    {% for qi in quasi_identifiers %}
    {{ ("values_" ~ qi) | ident }}.code{{ "," if not loop.last or entity is not none }}
    {% endfor %}
    {% if entity is not none %}
    records.{{ entity | ident }}
    {% endif %}
