-- builds: value_groups_<column>
-- reads: records
-- one row: sensitive value as written in the source, with its rows, or the persons who have it
select
    "illness" as _value,
    cast(count(*) as bigint) as _rows
from records
group by "illness"
