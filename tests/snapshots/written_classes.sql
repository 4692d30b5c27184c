-- builds: written_classes
-- reads: release
-- one row: set of labels in the file that was written, with its rows
select
    cast("age" as varchar) as "age",
    cast("sex" as varchar) as "sex",
    cast("town" as varchar) as "town",
    cast(count(*) as bigint) as _rows
from release
group by
    cast("age" as varchar),
    cast("sex" as varchar),
    cast("town" as varchar)
