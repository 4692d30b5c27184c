-- builds: class_results
-- reads: combinations or region_assignments or remaining (perhaps combination_entities, sensitive_<column>, value_entities_<column>, cell_entities, cell_values_<column>, cell_value_entities_<column>, class_members, class_values_<column>, regions, distribution_<column>, entropy_comparisons)
-- one row: class of the chosen node or of a pass, as label codes, or of a local recoding, by its number, with its rows and whether it fails
with classes as (
    select
        "_class_number",
        cast(sum(_rows) as bigint) as _rows
    from region_assignments
    group by all
),

class_results as (
with
numbered as materialized (
    select
        *,
row_number() over () as _class
    from classes
),

value_counts_1 as materialized (
    select
        numbered._class,
        histogram._value_rows,
        numbered._rows as _class_rows,
        shares.* exclude (_value)
    from "class_values_illness" as histogram
    join numbered
        on histogram."_class_number" is not distinct from numbered."_class_number"
    join "distribution_illness" as shares
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

select *
from class_results
