-- builds: expected_population
-- reads: population, recoding_<column> (perhaps placements, regions, aggregates)
-- one row: set of labels that the population gives through the recoding, with its rows
{% from "release/labelled.jinja" import aggregated, label, labelled with context %}
select
    {% for name in labels %}
    {{ label(name) }} as {{ name | ident }},
    {% endfor %}
    cast(count(*) as bigint) as _population
from population
{{ labelled("population") }}
{{ aggregated() }}
group by
    {% for name in labels %}
    {{ label(name) }}{{ "," if not loop.last }}
    {% endfor %}
