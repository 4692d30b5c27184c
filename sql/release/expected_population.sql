-- builds: expected_population
-- reads: population, recoding_<column> (perhaps region_assignments, regions, aggregates, ranges_<column>)
-- one row: set of labels that the recoding gives to the population, with its rows
{% from "release/labelled.jinja" import labelled, listed_labels, written_alike with context %}
select
    {{ listed_labels(labels, true) }},
    cast(count(*) as bigint) as _population
from {{ labelled("population") }}
{{ written_alike() }}
group by
    {{ listed_labels(labels) }}
