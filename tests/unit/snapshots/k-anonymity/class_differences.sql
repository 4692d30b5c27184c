-- builds: class_differences
-- reads: written_classes, expected_classes (perhaps recoding_<column>, ranges_<column>, expected_members, expected_histogram_<column>, reference_<column>, entropy_comparisons)
-- one row: class, or all masked records, that differs between the written file and the source, and whether the cells of its rows are equal
with class_results as (
with
evaluated_k as (
-- builds: evaluated
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_k,
    _rows < 3 as _fails_k
from expected_classes
)

select
    *,
    _fails_k as _fails
from evaluated_k
),

expected as (
    select
        "age",
        "sex",
        "town",
        sum(_sum_1) as _sum_1,
        sum(_salted_sum_1) as _salted_sum_1,
        cast(sum(_rows) as bigint) as _rows
    from class_results
    where not _fails
    group by all
)

select
    written_classes._rows as written_rows,
    expected._rows as expected_rows,
    written_classes._sum_1 is not distinct from expected._sum_1 as same_sum_1,
    written_classes._salted_sum_1 is not distinct from expected._salted_sum_1 as same_salted_sum_1
from written_classes
full outer join expected
    on written_classes."age" is not distinct from expected."age"
    and written_classes."sex" is not distinct from expected."sex"
    and written_classes."town" is not distinct from expected."town"
where written_classes._rows is distinct from expected._rows
    or written_classes._sum_1 is distinct from expected._sum_1
    or written_classes._salted_sum_1 is distinct from expected._salted_sum_1
