-- builds: written_classes
-- reads: written_groups
-- one row: set of labels in the written file, with its rows, the fingerprints of their cells, and the least and the greatest value of linked columns
select
    cast(groups."least" as varchar) as "least",
    cast(groups."age" as varchar) as "age",
    cast(groups."town" as varchar) as "town",
    cast(groups."illness" as varchar) as "illness",
    cast(sum(groups._rows) as bigint) as _rows
from written_groups as groups
group by
    cast(groups."least" as varchar),
    cast(groups."age" as varchar),
    cast(groups."town" as varchar),
    cast(groups."illness" as varchar)
