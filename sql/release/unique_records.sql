-- builds: unique_records
-- reads: release
-- one row: the written file: its records that no other record equals in all columns
{% from "release/whole_rows.jinja" import sizes_of_whole_rows %}
with {{ sizes_of_whole_rows("release", columns | map(attribute="name") | list) }}

select
    cast(count(*) filter (where _rows = 1) as bigint) as unique_records
from sizes
