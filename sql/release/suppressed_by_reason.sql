-- builds: suppressed_by_reason
-- reads: classes_explained
-- one row: reason of suppression, with the number of suppressed classes and their rows
select
    _reason,
    count(*) as classes,
    cast(sum(_rows) as bigint) as _rows
from classes_explained
where _verdict = 'suppressed'
group by all
order by _rows desc
