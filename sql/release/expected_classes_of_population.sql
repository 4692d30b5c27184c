-- builds: expected_classes
-- reads: expected_groups, expected_population
-- one row: set of labels that the recoding gives to the source, with its rows, the fingerprints of their cells and the rows of the population
{% from "privacy/same_class.jinja" import same_class %}
select
    groups.*,
    coalesce(expected_population._population, 0) as _population
from expected_groups as groups
left join expected_population
    on {{ same_class(quasi_identifiers, "groups", "expected_population") }}
