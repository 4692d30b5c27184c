-- builds: written_classes
-- reads: written_groups
-- one row: set of labels in the written file, with its rows, the fingerprints of their cells, and the least and the greatest value of linked columns
select
    cast(groups."age" as varchar) as "age",
    cast(groups."sex" as varchar) as "sex",
    cast(groups."town" as varchar) as "town",
    sum(groups._sum_1) as _sum_1,
    sum(groups._salted_sum_1) as _salted_sum_1,
    cast(sum(groups._rows) as bigint) as _rows
from written_groups as groups
group by all
