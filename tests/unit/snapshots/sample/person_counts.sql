-- builds: person_counts
-- reads: records
-- one row: the input: its rows, and for each column that may identify persons the rows with a value, and the distinct values
select
    cast(count(*) as bigint) as _rows,
    cast(count("name") as bigint) as "filled_0",
    cast(count(distinct "name") as bigint) as "persons_0"
from records
