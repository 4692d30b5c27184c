-- builds: failing_classes
-- reads: written_classes
-- one row: class of the written file that does not satisfy the requirement
with final as (
-- builds: verdicts
-- reads: classes
-- one row: class, which fails where it has fewer than k rows, or persons, or fewer than a record asks for (Samarati 2001, Sweeney 2002)
select
    *,
    _rows < 3 as _fails
from written_classes
)

select _rows
from final
where _fails
order by _rows
