-- builds: finite_range
-- reads: records
-- one row: a column of numbers, with the number of its finite values, the least and the greatest
select
    cast(count(distinct {{ column | ident }}) as bigint) as _values,
    min(cast({{ column | ident }} as double)) as _least,
    max(cast({{ column | ident }} as double)) as _greatest
from records
where cast({{ column | ident }} as double) > cast('-infinity' as double)
    and cast({{ column | ident }} as double) < cast('infinity' as double)
