-- builds: all_columns
-- reads: records
-- one row: the file: the number of distinct sets of values of all columns (NULL is a value), the rows of the smallest set, and the rows with a unique set
{% from "release/whole_rows.jinja" import sizes_of_whole_rows %}
with {{ sizes_of_whole_rows("records", columns) }}

select
    cast(count(*) as bigint) as classes,
    cast(min(_rows) as bigint) as smallest,
    cast(count(*) filter (where _rows = 1) as bigint) as uniques
from sizes
