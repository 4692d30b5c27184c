-- builds: classes_at
-- reads: combinations
-- one row: equivalence class of a node, as label codes
select
    {% for key in keys %}
    {{ key | ident }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows
from combinations
group by
    {{ keys | map("ident") | join(",\n    ") }}
