-- builds: failing_classes
-- reads: written_classes (perhaps written_histogram_<column>, reference_<column>, entropy_comparisons)
-- one row: class of the written file that does not satisfy the requirement
with final as (
with
evaluated_1 as (
-- builds: evaluated
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_1,
    _rows < 3 as _fails_1
from written_classes
)

select
    *,
    _fails_1 as _fails
from evaluated_1
)

select _rows
from final
where _fails
order by _rows
