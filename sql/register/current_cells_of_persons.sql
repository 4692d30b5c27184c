-- builds: current_cells
-- reads: records, values_<column>
-- one row: distinct set of quasi-identifier values of a person, with its rows
{% from "dataset/lookups.jinja" import by_value, named_codes %}
select
    {{ named_codes("values", quasi_identifiers) }},
    cast(records.{{ entity | ident }} as varchar) as _person,
    cast(count(*) as bigint) as _rows
from {{ by_value("records", "values", quasi_identifiers) }}
where records.{{ entity | ident }} is not null
group by all
