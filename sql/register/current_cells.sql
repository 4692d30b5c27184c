-- builds: current_cells
-- reads: records, values_<column>
-- one row: distinct set of the values by which releases are compared, with its rows
{% from "dataset/lookups.jinja" import by_value, named_codes %}
select
    {{ named_codes("values", quasi_identifiers) }},
    {% for column in others %}
    cast(records.{{ column.name | ident }}{{ " + 0.0" if column.is_floating }} as varchar) as {{ column.name | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _rows
from {{ by_value("records", "values", quasi_identifiers) }}
group by all
