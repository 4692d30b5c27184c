-- builds: written_classes
-- reads: written_groups
-- one row: set of labels in the file that was written, with its rows
select
    cast(groups."sex" as varchar) as "sex",
    cast(sum(groups._rows) as bigint) as _rows
from written_groups as groups
group by
    cast(groups."sex" as varchar)
