-- builds: unique_records
-- reads: release (perhaps records)
-- one row: the written file, or the input: its records that differ from every other record
{% from "release/whole_rows.jinja" import sizes_of_whole_rows %}
with {{ sizes_of_whole_rows(relation, columns) }}

select
    cast(count(*) filter (where _rows = 1) as bigint) as unique_records
from sizes
