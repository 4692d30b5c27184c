-- builds: absent_classes
-- reads: expected_population, written_classes
-- one row: class of the population, by the labels of the recoding, that has no row in the written file
{% from "privacy/same_class.jinja" import same_class %}
select expected_population._population
from expected_population
where not exists (
    select 1
    from written_classes
    where {{ same_class(quasi_identifiers, "written_classes", "expected_population") }}
)
