-- builds: population_counts
-- reads: population, values_<column>
-- one row: distinct set of value codes in the population, with its rows
{% from "dataset/lookups.jinja" import by_value, codes, named_codes %}
select
    {{ named_codes("values", quasi_identifiers) }},
    cast(count(*) as bigint) as _population
from {{ by_value("population", "values", quasi_identifiers) }}
group by
    {{ codes("values", quasi_identifiers) }}
