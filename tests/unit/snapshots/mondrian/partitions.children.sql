-- builds: partitions
-- reads: cuts, places, side_classes (perhaps side_values_<column>, shares_<column>, decided_entropies)
-- one row: Mondrian partition: its parent, the attribute and the place of the cut, with its rows
with verdicts as (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
judged_1 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_1,
    _rows < 3 as _fails_1
from side_classes
)

select
    *,
    _fails_1 as _fails
from judged_1
),

allowed as (
    select
        _partition,
        _rank,
        _variant,
        row_number() over (partition by _partition order by _rank, _variant) as place
    from verdicts
    group by
        _partition,
        _rank,
        _variant
    having count(*) > 1 and not bool_or(_fails)
),

final as (
    select
        1 + row_number() over (order by verdicts._partition, verdicts._side) as _partition,
        verdicts._partition as _parent,
        1 as _round,
        case cuts._attribute
            when 1 then 'age'
            when 2 then 'sex'
            when 3 then 'town'
        end as _attribute,
        case
            when cuts._split is null or verdicts._side = 0 then cuts._cut
            else case cuts._cut when '<=' then '>' when '<' then '>=' else 'is missing' end
        end as _cut,
        case when cuts._split is null or cuts._variant > 0 then places.label end as _value,
        cuts._level - 1 as _level,
        verdicts._side as _low,
        case
            when cuts._split is null then places.high
            when verdicts._side = 0 then cuts._split
            else 2147483647
        end as _high,
        verdicts._rows
    from allowed
    join verdicts
        on allowed._partition = verdicts._partition
        and allowed._rank = verdicts._rank
        and allowed._variant = verdicts._variant
    join cuts
        on allowed._partition = cuts._partition
        and allowed._rank = cuts._rank
        and allowed._variant = cuts._variant
    left join places
        on cuts._attribute = places._attribute
        and coalesce(cuts._level - 1, 0) = places.level
        and case when cuts._split is null then verdicts._side else cuts._median end = places.position
    where allowed.place = 1
)

select * from final
