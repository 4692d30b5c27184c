-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, and the same with each value of one more column, with its rows
{% from "dataset/lookups.jinja" import by_value, codes, named_codes %}
{% from "privacy/persons.jinja" import person %}
{% set grouped_persons %}{% for entity in entities %}, records.{{ entity | ident }}{% endfor %}{% endset %}
select
    {{ named_codes("values", quasi_identifiers) }},
    {% if k_column is not none %}
    cast(max(records.{{ k_column | ident }}) as bigint) as _k,
    {% endif %}
    {% for entity in entities %}
    records.{{ entity | ident }} as {{ person(loop.index) }},
    {% endfor %}
    {% for column in sensitive %}
    {{ ("values_" ~ column) | ident }}.code as _value_{{ loop.index }},
    {% endfor %}
    case
        {% for column in sensitive %}
        when grouping({{ ("values_" ~ column) | ident }}.code) = 0 then {{ loop.index }}
        {% endfor %}
        else 0
    end as _attribute,
    cast(count(*) as bigint) as _rows
from {{ by_value("records", "values", quasi_identifiers + sensitive) }}
group by grouping sets (
    ({{ codes("values", quasi_identifiers, ", ") }}{{ grouped_persons }}),
    {% for column in sensitive %}
    ({{ codes("values", quasi_identifiers, ", ") }}, {{ ("values_" ~ column) | ident }}.code{{ grouped_persons }}){{ "," if not loop.last }}
    {% endfor %}
)
