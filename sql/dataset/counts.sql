-- builds: counts
-- reads: records, values_<column>
-- one row: distinct set of value codes, with its rows
{% from "dataset/lookups.jinja" import by_value, codes, named_codes %}
{% from "privacy/persons.jinja" import person %}
select
    {{ named_codes("values", quasi_identifiers) }},
    {% if k_column is not none %}
    cast(max(records.{{ k_column | ident }}) as bigint) as _k,
    {% endif %}
    {% for entity in entities %}
    records.{{ entity | ident }} as {{ person(loop.index) }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from {{ by_value("records", "values", quasi_identifiers) }}
group by
    {{ codes("values", quasi_identifiers) }}{% for entity in entities %},
    records.{{ entity | ident }}{% endfor +%}
