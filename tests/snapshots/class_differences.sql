-- builds: class_differences
-- reads: written_classes, expected_classes
-- one row: class on which the written file and the source do not agree
with verdicts as (
-- builds: verdicts
-- reads: classes
-- one row: class, which fails where it has fewer than k rows, or persons, or fewer than a record asks for (Samarati 2001, Sweeney 2002)
select
    *,
    _rows < 3 as _fails
from expected_classes
),

expected as (
    select *
    from verdicts
    where not _fails
)

select
    written_classes._rows as written_rows,
    expected._rows as expected_rows
from written_classes
full outer join expected
    on written_classes."age" is not distinct from expected."age"
    and written_classes."sex" is not distinct from expected."sex"
    and written_classes."town" is not distinct from expected."town"
where written_classes._rows is distinct from expected._rows
