-- builds: achieved
-- reads: combinations or class_results or written_classes (perhaps combination_entities, sensitive_<column>, value_entities_<column>, written_histogram_<column>, distribution_<column>, reference_<column>, written_shares_<column>, entropy_comparisons)
-- one row: the node, the local recoding or the written file: for each model, the minimum and maximum that the released classes achieve, and the classes of the file that fail
with class_results as (
with
numbered as materialized (
    select
        *,
row_number() over () as _class
    from written_classes
),

value_counts_1 as materialized (
    select
        numbered._class,
        histogram._value_rows,
        numbered._rows as _class_rows,
        shares.* exclude (_value)
    from "written_histogram_illness" as histogram
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
)

select
    min(_achieved_k) as least_k,
    max(_achieved_k) as most_k,
    min(_achieved_distinct_l_illness) as least_distinct_l_illness,
    max(_achieved_distinct_l_illness) as most_distinct_l_illness,
    0 as required_k,
    coalesce(sum(1), 0) as expected,
    coalesce(sum(_rows), 0) as _rows,
    count(case when _fails then 1 end) as failing_classes,
    min(case when _fails then _rows end) as smallest_failing
from class_results
