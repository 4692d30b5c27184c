-- builds: absent_classes
-- reads: population_counts, present_classes
-- one row: the population: its sets of quasi-identifier values or labels that no class has
{% from "privacy/same_class.jinja" import same_class %}
select count(*) as absent
from {{ population }}
where not exists (
    select 1
    from {{ classes }}
    where {{ same_class(keys, classes, population) }}
)
