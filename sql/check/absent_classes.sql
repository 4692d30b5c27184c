-- builds: absent_classes
-- reads: population_counts, present_classes
-- one row: the population: its sets of quasi-identifier values that the file lacks
{% from "dataset/lookups.jinja" import same_keys %}
select count(*) as absent
from population_counts
where not exists (
    select 1
    from present_classes
    where {{ same_keys(quasi_identifiers, "present_classes", "population_counts") }}
)
