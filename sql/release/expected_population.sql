-- builds: expected_population
-- reads: population, recoding_<column> (perhaps placements, regions, aggregates)
-- one row: set of labels that the population gives through the recoding, with its rows
{% from "release/labelled.jinja" import aggregated, labelled, listed_labels with context %}
select
    {{ listed_labels(labels, true) }},
    cast(count(*) as bigint) as _population
from population
{{ labelled("population") }}
{{ aggregated() }}
group by
    {{ listed_labels(labels) }}
