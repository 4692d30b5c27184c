-- builds: current_cells
-- reads: records, values_<column>
-- one row: distinct set of the values by which releases are compared, or of a person's quasi-identifier values, with its rows
{% from "dataset/lookups.jinja" import by_value, named_codes %}
select
    {{ named_codes("values", quasi_identifiers) }},
    {% for column in others %}
    cast(records.{{ column.name | ident }}{{ " + 0.0" if column.is_floating }} as varchar) as {{ column.name | ident }},
    {% endfor %}
    {% if entity is not none %}
    cast(records.{{ entity | ident }} as varchar) as _person,
    {% endif %}
    cast(count(*) as bigint) as _rows
from {{ by_value("records", "values", quasi_identifiers) }}
{% if entity is not none %}
where records.{{ entity | ident }} is not null
{% endif %}
group by all
