-- builds: histogram_differences
-- reads: expected_classes, written_histogram_<column>, expected_histogram_<column> (perhaps ranges_<column>, recoding_<column>, reference_<column>, entropy_comparisons)
-- one row: class and sensitive value that differ between the written file and the source
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
        class_results."age",
        class_results."sex",
        class_results."town",
        histogram._value,
        cast(sum(histogram._value_rows) as bigint) as _value_rows
    from "expected_histogram_illness" as histogram
    join class_results
        on histogram."age" is not distinct from class_results."age"
    and histogram."sex" is not distinct from class_results."sex"
    and histogram."town" is not distinct from class_results."town"
    where not class_results._fails
    group by all
)

select
    written._value_rows as written_rows,
    expected._value_rows as expected_rows
from "written_histogram_illness" as written
full outer join expected
    on written."age" is not distinct from expected."age"
    and written."sex" is not distinct from expected."sex"
    and written."town" is not distinct from expected."town"
    and written._value is not distinct from expected._value
where written._value_rows is distinct from expected._value_rows
