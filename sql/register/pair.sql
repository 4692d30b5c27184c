-- builds: pair
-- reads: histories
-- one row: the new release and an earlier one: the records, or persons, whose two classes fewer than k share, and the smallest intersection
with shared as (
    select {{ "count(distinct _person)" if of_persons else "sum(_rows)" }} as _records
    from histories
    where _class is not null
        and _class_{{ number }} is not null
    group by
        _class,
        _class_{{ number }}
)

select
    cast(coalesce(sum(_records) filter (where _records < {{ k }}), 0) as bigint) as _few,
    cast(min(_records) as bigint) as _smallest
from shared
