-- builds: release
-- reads: the file that was written
-- one row: released row, as read back from the file
select *
{% if format == "parquet" %}
from read_parquet({{ path | literal }}, hive_partitioning = false)
{% else %}
from read_csv(
    {{ path | literal }},
    auto_detect = false,
    delim = ',',
    quote = '"',
    escape = '"',
    new_line = '\n',
    header = true,
    columns = {{ columns | literal }},
    max_line_size = 100000000,
    allow_quoted_nulls = false,
    hive_partitioning = false
)
{% endif %}
