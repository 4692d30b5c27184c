-- builds: class_differences
-- reads: written_classes, expected_classes (perhaps recoding_<column>, ranges_<column>, expected_members, expected_histogram_<column>, reference_<column>, entropy_comparisons)
-- one row: class, or all masked records, that differs between the written file and the source, and whether the cells of its rows are equal
with class_results as (
with
numbered as materialized (
    select
        *,
row_number() over () as _class
    from expected_classes
),

value_counts_1 as materialized (
    select
        numbered._class,
        histogram._value_rows,
        numbered._rows as _class_rows,
        shares.* exclude (_value)
    from "expected_histogram_illness" as histogram
    join numbered
        on histogram."age" is not distinct from numbered."age"
    and histogram."sex" is not distinct from numbered."sex"
    and histogram."town" is not distinct from numbered."town"
    join "reference_illness" as shares
        on histogram._value is not distinct from shares._value
),

evaluated_k as (
-- builds: evaluated
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_k,
    _rows < 3 as _fails_k
from numbered
),

measured_distinct_l_illness as (
-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if it has fewer than l sensitive values, including NULL (Machanavajjhala et al. 2007), or fewer than l values of different persons
with measures as (
    select
        _class,
        count(*) as present
    from value_counts_1
    group by
        _class
)

select
    _class,
    present as _achieved,
    present < 2 as _fails
from measures
),

evaluated_distinct_l_illness as (
    select
        classes.*,
        measured._achieved as _achieved_distinct_l_illness,
        measured._fails as _fails_distinct_l_illness
    from evaluated_k as classes
    join measured_distinct_l_illness as measured
        on classes._class = measured._class
)

select
    * exclude (_class),
    _fails_k or _fails_distinct_l_illness as _fails
from evaluated_distinct_l_illness
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
