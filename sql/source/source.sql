-- builds: source
-- reads: the input
-- one row: input row, as read
select *
{% if kind == "duckdb" %}
from {{ table | map("ident") | join(".") }}
{% else %}
from read_{{ kind }}(
    {{ files | literal }},
    {% if kind == "csv" %}
    auto_detect = false,
    delim = {{ delimiter | literal }},
    quote = '"',
    escape = '"',
    header = {{ header | literal }},
    columns = {{ columns | literal }},
    max_line_size = 100000000,
    allow_quoted_nulls = false,
    {% elif kind == "json" and columns is none %}
    sample_size = -1,
    {% elif kind == "json" %}
    columns = {{ columns | literal }},
    {% endif %}
    {% if partitions %}
    hive_types = { {%- for name, type in partitions.items() %}{{ name | ident }}: {{ type }}{{ ", " if not loop.last }}{% endfor -%} },
    {% endif %}
    hive_partitioning = {{ (partitions | length > 0) | literal }}
)
{% endif %}
