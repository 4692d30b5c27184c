-- builds: listed_<column>
-- reads: the hierarchy file
-- one row: line of the hierarchy file, as read
select *
{% if delimiter is none %}
from read_parquet({{ path | literal }}, hive_partitioning = false)
{% else %}
from read_csv(
    {{ path | literal }},
    auto_detect = false,
    delim = {{ delimiter | literal }},
    quote = '"',
    escape = '"',
    header = false,
    skip = {{ 1 if header else 0 }},
    columns = {{ columns | literal }},
    allow_quoted_nulls = false,
    hive_partitioning = false
)
{% endif %}
