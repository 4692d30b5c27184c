-- builds: release
-- reads: what was written
-- one row: released row, as read back from the file
select *
{% if form.format == "duckdb" %}
from {{ database | ident }}.main.{{ form.table | ident }}
{% elif form.format == "parquet" %}
from read_parquet(
    {{ path | literal }},
    {% if form.partition_by %}
    hive_types_autocast = false,
    {% endif %}
    hive_partitioning = {{ (form.partition_by | length > 0) | literal }}
)
{% else %}
from read_csv(
    {{ path | literal }},
    auto_detect = false,
    delim = {{ form.delimiter | literal }},
    quote = '"',
    escape = '"',
    new_line = '\n',
    header = true,
    columns = {{ columns | literal }},
    compression = {{ (form.compression or "none") | literal }},
    max_line_size = 100000000,
    allow_quoted_nulls = false,
    hive_partitioning = false
)
{% endif %}
