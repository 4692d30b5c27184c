-- builds: texts_<column>
-- reads: distinct_values
-- one row: distinct text of a retained column, with the number that represents it while rows are shuffled
select
    "illness" as value,
    cast(row_number() over (order by "illness" nulls last) - 1 as uinteger) as code
from distinct_values
where _attribute = 0
