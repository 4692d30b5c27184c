-- builds: suppressed_by_reason
-- reads: suppressed
-- one row: reason of suppression, with the number of suppressed classes and their rows
select
    _reason,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from suppressed
group by
    _reason
order by _rows desc
