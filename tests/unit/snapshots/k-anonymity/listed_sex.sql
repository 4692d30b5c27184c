-- builds: listed_<column>
-- reads: the hierarchy file
-- one row: line of the hierarchy file, as read
select *
from read_csv(
    '<path>/sexes.csv',
    auto_detect = false,
    delim = ';',
    quote = '"',
    escape = '"',
    header = false,
    skip = 0,
    columns = {'cell_0': 'varchar', 'cell_1': 'varchar'},
    allow_quoted_nulls = false,
    hive_partitioning = false
)
