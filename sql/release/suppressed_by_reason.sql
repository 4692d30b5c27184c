-- builds: suppressed_by_reason
-- reads: suppressed
-- one row: reason why classes were removed, with their number and their rows
select
    _reason,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from suppressed
group by
    _reason
order by _rows desc
