-- builds: all_columns
-- reads: records
-- one row: the file: the distinct sets of values of all its columns, NULL being a value, the fewest rows of one, and the rows alone with theirs
{% from "release/whole_rows.jinja" import sizes_of_whole_rows %}
with {{ sizes_of_whole_rows("records", columns) }}

select
    cast(count(*) as bigint) as classes,
    cast(min(_rows) as bigint) as smallest,
    cast(count(*) filter (where _rows = 1) as bigint) as uniques
from sizes
