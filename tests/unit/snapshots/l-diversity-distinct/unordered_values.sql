-- builds: unordered_values
-- reads: values_<column>
-- one row: the sensitive column: its values except NULL that are not in the declared order, and their rows
select
    count(*) as unordered,
    cast(coalesce(sum(_rows), 0) as bigint) as _rows
from "values_illness"
where text is not null
    and list_position(['none', 'flu', 'gout'], text) is null
