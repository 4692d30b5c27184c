-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, with its rows
{% macro codes() %}{% for qi in quasi_identifiers %}{{ ("values_" ~ qi) | ident }}.code{{ ", " if not loop.last }}{% endfor %}{% endmacro %}
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
    {% for column in sensitive %}
    {{ ("values_" ~ column) | ident }}.code as _value_{{ loop.index }},
    {% endfor %}
    {% if sensitive %}
    case
        {% for column in sensitive %}
        when grouping({{ ("values_" ~ column) | ident }}.code) = 0 then {{ loop.index }}
        {% endfor %}
        else 0
    end as _attribute,
    {% endif %}
    cast(count(*) as bigint) as _rows
from records
{% for column in quasi_identifiers + sensitive %}
join {{ ("values_" ~ column) | ident }}
    on records.{{ column | ident }} is not distinct from {{ ("values_" ~ column) | ident }}.value
{% endfor %}
{% if sensitive %}
group by grouping sets (
    ({{ codes() }}{% if entity is not none %}, records.{{ entity | ident }}{% endif %}){{ "," }}
    {% for column in sensitive %}
    ({{ codes() }}, {{ ("values_" ~ column) | ident }}.code{% if entity is not none %}, records.{{ entity | ident }}{% endif %}){{ "," if not loop.last }}
    {% endfor %}
)
{% else %}
group by
    {% for qi in quasi_identifiers %}
    {{ ("values_" ~ qi) | ident }}.code{{ "," if not loop.last or entity is not none }}
    {% endfor %}
    {% if entity is not none %}
    records.{{ entity | ident }}
    {% endif %}
{% endif %}
