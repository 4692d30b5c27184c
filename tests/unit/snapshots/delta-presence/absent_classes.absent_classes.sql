-- builds: absent_classes
-- reads: expected_population, written_classes
-- one row: class of the population, by the labels of the recoding, that has no row in the written file
select expected_population._population
from expected_population
where not exists (
    select 1
    from written_classes
    where written_classes."age" is not distinct from expected_population."age"
    and written_classes."sex" is not distinct from expected_population."sex"
    and written_classes."town" is not distinct from expected_population."town"
)
