-- builds: expected_classes
-- reads: expected_groups, expected_population
-- one row: set of labels that the recoding gives to the source, with its rows, the fingerprints of their cells and the rows of the population
select
    groups.*,
    coalesce(expected_population._population, 0) as _population
from expected_groups as groups
left join expected_population
    on groups."age" is not distinct from expected_population."age"
    and groups."sex" is not distinct from expected_population."sex"
    and groups."town" is not distinct from expected_population."town"
