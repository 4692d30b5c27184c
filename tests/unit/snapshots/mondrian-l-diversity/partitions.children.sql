-- builds: partitions
-- reads: cuts, places, sides (perhaps side_losses, cell_entities, side_values_<column>, distribution_<column>, entropy_comparisons)
-- one row: Mondrian partition: its parent, the attribute and the place of the cut, with its rows
with classes as (
    select
        "_partition",
        "_rank",
        "_variant",
        "_side",
        cast(sum(_rows) as bigint) as _rows
    from sides
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
    from "side_values_illness" as histogram
    join numbered
        on histogram."_partition" is not distinct from numbered."_partition"
    and histogram."_rank" is not distinct from numbered."_rank"
    and histogram."_variant" is not distinct from numbered."_variant"
    and histogram."_side" is not distinct from numbered."_side"
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
),

allowed as (
    select
        class_results._partition,
        class_results._rank,
        class_results._variant,
        row_number() over (
            partition by class_results._partition
            order by class_results._rank, class_results._variant
        ) as place
    from class_results
    group by
        class_results._partition,
        class_results._rank,
        class_results._variant
    having count(*) > 1 and not bool_or(_fails)
)

select
    1 + row_number() over (order by class_results._partition, class_results._side) as _partition,
    class_results._partition as _parent,
    1 as _round,
    case cuts._attribute
        when 1 then 'age'
        when 2 then 'sex'
        when 3 then 'town'
    end as _attribute,
    case
        when cuts._first is null or class_results._side = 0 then cuts._cut
        else case cuts._cut when '<=' then '>' when '<' then '>=' when 'is' then 'is not' else 'is missing' end
    end as _cut,
    case when cuts._cut <> 'is not missing' then places.label end as _value,
    cuts._level - 1 as _level,
    coalesce(cuts._first, class_results._side) as _low,
    coalesce(cuts._last, places.high) as _high,
    cuts._first is not null and class_results._side = 1 as _is_rest,
    class_results._rows
from allowed
join class_results
    on allowed._partition = class_results._partition
    and allowed._rank = class_results._rank
    and allowed._variant = class_results._variant
join cuts
    on allowed._partition = cuts._partition
    and allowed._rank = cuts._rank
    and allowed._variant = cuts._variant
left join places
    on cuts._attribute = places._attribute
    and coalesce(cuts._level - 1, 0) = places.level
    and coalesce(cuts._median, class_results._side) = places.position
where allowed.place = 1
