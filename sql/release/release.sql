-- builds: release
-- reads: what was written
-- one row: released row, as read back from the file
{% if form.partition_by %}
select
    * exclude (_partition),
    {% for column in form.partition_by | sort(case_sensitive=true) %}
    {% set depth = form.partition_by | length - form.partition_by.index(column) %}
    nullif(
        url_decode(regexp_replace(list_extract(string_split(_partition, '/'), -{{ depth + 1 }}), '^[^=]*=', '')),
        '__HIVE_DEFAULT_PARTITION__'
    ) as {{ column | ident }}{{ "," if not loop.last }}
    {% endfor %}
{% else %}
select *
{% endif %}
{% if form.format == "duckdb" %}
from {{ database | ident }}.main.{{ form.table | ident }}
{% elif form.partition_by %}
from read_parquet(
    {{ path | literal }},
    filename = '_partition',
    hive_partitioning = false
)
{% elif form.format == "parquet" %}
from read_parquet(
    {{ path | literal }},
    hive_partitioning = false
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
    max_line_size = 32000000,
    buffer_size = 32000000,
    allow_quoted_nulls = false,
    hive_partitioning = false
)
{% endif %}
